create table partner (
  id         text primary key,
  code       text not null,
  name       text not null,
  kind       text not null,
  state      text not null default 'ACTIVE',
  version    integer not null default 1,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint partner_code_unique unique (code),
  constraint partner_kind  check (kind in ('DEALER', 'BROKER', 'VENDOR')),
  constraint partner_state check (state in ('ACTIVE', 'SUSPENDED'))
);

alter table partner enable row level security;
alter table partner force  row level security;

-- A partner sees itself; who brought a party's contract is said where contracts are.
create policy partner_rows on partner for select
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS' and id = context_setting('partner'))
  );
create policy partner_create on partner for insert
  with check (context_setting('scope') = 'ALL');

create trigger partner_no_delete before delete on partner
  for each row execute function refuse_change();
create trigger partner_no_truncate before truncate on partner
  for each statement execute function refuse_change();

grant select, insert on partner to {{app_role}};
