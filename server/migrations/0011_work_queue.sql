-- Who was here with which permissions: the only answer we have to "who could decide this".
create table caller_seen (
  subject     text primary key,
  username    text not null,
  person_keys text[] not null,
  permissions text[] not null,
  is_human    boolean not null,
  party_id    text,
  partner_id  text,
  seen_at     timestamptz(3) not null default clock_timestamp()
);
create index caller_seen_by_permission on caller_seen using gin (permissions);

alter table caller_seen enable row level security;
alter table caller_seen force  row level security;
-- Everyone is counted; one's own row alone is written.
create policy caller_seen_read on caller_seen for select
  using (context_setting('scope') in ('ALL', 'ROWS'));
create policy caller_seen_write on caller_seen for insert
  with check (subject = context_setting('subject'));
create policy caller_seen_again on caller_seen for update
  using (subject = context_setting('subject'))
  with check (subject = context_setting('subject'));

create index contract_waiting on contract (submitted_at, id) where state = 'PENDING_APPROVAL';
create index contract_by_decision on contract using gin (decisions jsonb_path_ops);
create index change_by_decision   on change using gin (decisions jsonb_path_ops);
create index change_by_preparer   on change using gin (preparers);

grant select, insert, update on caller_seen to {{app_role}};
