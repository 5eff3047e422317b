-- What every slice stands on: facts of the deployment, audit, outbox, idempotency.

-- The one place that reads the row-level context. An absent or reset setting reads as null.
create function context_setting(name text) returns text
  language sql stable parallel safe
  return nullif(current_setting('tfs.' || name, true), '');

create table deployment (
  name  text primary key,
  value text not null
);

-- Entries are final when written; the sequencer of the chain numbers them by xid later on.
create table audit_entry (
  id             text primary key,
  xid            xid8 not null default pg_current_xact_id(),
  at             timestamptz(3) not null default clock_timestamp(),
  request_id     text not null,
  subject        text not null,
  username       text not null,
  client_id      text,
  session_id     text,
  issuer         text,
  mode           text not null,
  actor          text,
  remote_address text,
  action         text not null,
  outcome        text not null,
  code           text,
  item_kind      text,
  item_id        text,
  item_version   integer,
  diff           jsonb not null default '[]',
  constraint audit_entry_mode    check (mode in ('token', 'developer', 'system')),
  constraint audit_entry_outcome check (outcome in ('DONE', 'REFUSED')),
  constraint audit_entry_code    check ((outcome = 'REFUSED') = (code is not null))
);
create index audit_entry_by_xid  on audit_entry (xid, id);
create index audit_entry_by_item on audit_entry (item_kind, item_id, at);

-- Personal values live here alone, so that erasing them leaves every entry as it was written.
create table audit_personal_value (
  entry_id text not null references audit_entry (id),
  pointer  text not null,
  side     text not null,
  salt     text not null,
  value    jsonb not null,
  party_id text,
  primary key (entry_id, pointer, side),
  constraint audit_personal_value_side check (side in ('before', 'after'))
);
create index audit_personal_value_by_party on audit_personal_value (party_id);

create table event (
  id           text primary key,
  xid          xid8 not null default pg_current_xact_id(),
  at           timestamptz(3) not null default clock_timestamp(),
  type         text not null,
  item_kind    text not null,
  item_id      text not null,
  item_version integer not null,
  request_id   text not null,
  data         jsonb not null default '{}'
);
create index event_by_xid on event (xid, id);

-- How answers name a person: the digest of the subject (see access/caller.ts).
create function person_id(subject text) returns text
  language sql stable strict parallel safe
  return left(encode(sha256(convert_to(subject, 'UTF8')), 'hex'), 16);

create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function refuse_change();
-- Values may be erased, never rewritten.
create trigger audit_personal_value_no_update before update on audit_personal_value
  for each row execute function refuse_change();
create trigger audit_personal_value_no_truncate before truncate on audit_personal_value
  for each statement execute function refuse_change();
create trigger event_append_only before update or delete on event
  for each row execute function refuse_change();
create trigger event_no_truncate before truncate on event
  for each statement execute function refuse_change();

create table idempotency (
  subject      text not null,
  method       text not null,
  path         text not null,
  key          text not null,
  request_hash text not null,
  status       integer not null,
  headers      jsonb not null,
  body         text not null,
  stored_at    timestamptz(3) not null default clock_timestamp(),
  primary key (subject, method, path, key)
);
create index idempotency_by_age on idempotency (stored_at);

alter table audit_entry          enable row level security;
alter table audit_entry          force  row level security;
alter table audit_personal_value enable row level security;
alter table audit_personal_value force  row level security;
alter table event                enable row level security;
alter table event                force  row level security;
alter table idempotency          enable row level security;
alter table idempotency          force  row level security;

-- Everyone's work is recorded, under the acting subject where there is one; only unscoped work reads
-- the records.
create policy audit_entry_write on audit_entry for insert
  with check (context_setting('scope') is not null
              and (context_setting('subject') is null or subject = context_setting('subject')));
create policy audit_entry_read on audit_entry for select
  using (context_setting('scope') = 'ALL');
create policy audit_personal_value_write on audit_personal_value for insert
  with check (context_setting('scope') is not null);
create policy audit_personal_value_read on audit_personal_value for select
  using (context_setting('scope') = 'ALL');
create policy event_write on event for insert
  with check (context_setting('scope') is not null);
create policy event_read on event for select
  using (context_setting('scope') = 'ALL');

-- A kept answer belongs to the subject that got it.
create policy idempotency_own on idempotency
  using (subject = context_setting('subject'))
  with check (subject = context_setting('subject'));

grant select, insert on deployment, audit_personal_value to {{app_role}};
-- Times and transaction numbers come from the database alone.
grant select on audit_entry, event to {{app_role}};
grant insert (id, request_id, subject, username, client_id, session_id, issuer, mode, actor,
              remote_address, action, outcome, code, item_kind, item_id, item_version, diff)
  on audit_entry to {{app_role}};
grant insert (id, type, item_kind, item_id, item_version, request_id, data)
  on event to {{app_role}};
grant select, insert, delete on idempotency to {{app_role}};
