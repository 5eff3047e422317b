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

-- A party-scoped caller may learn who brought its own contract; the contract's policy follows later.
create policy partner_rows on partner
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS' and id = context_setting('partner'))
  );

grant select, insert on partner to {{app_role}};
