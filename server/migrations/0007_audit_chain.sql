-- The audit trail's proof: a gapless chain over the entries, signed checkpoints, the access log.

-- Order within one transaction, and between transactions that waited for each other.
alter table audit_entry add column ordinal bigint generated always as identity;

create index audit_entry_by_age      on audit_entry (at, id);
create index audit_entry_by_request  on audit_entry (request_id);
create index audit_entry_by_subject  on audit_entry (subject, at, id);
create index audit_entry_by_username on audit_entry (username, at, id);
create index audit_entry_by_action   on audit_entry (action, at, id);
create index audit_entry_by_code     on audit_entry (code, at, id) where code is not null;
create index audit_entry_refused     on audit_entry (at, id) where outcome = 'REFUSED';
create index audit_entry_by_item_id  on audit_entry (item_id, at, id) where item_id is not null;

-- No foreign key: its check would lock, and so rewrite, every entry. A missing entry breaks the chain.
create table audit_chain (
  seq      bigint primary key,
  entry_id text not null,
  hash     text not null,
  at       timestamptz(3) not null default clock_timestamp(),
  constraint audit_chain_entry_once unique (entry_id),
  constraint audit_chain_hash       check (hash ~ '^[0-9a-f]{64}$')
);

-- A copy for readers; the file outside the database is the one that counts.
create table audit_checkpoint (
  signature text primary key,
  seq       bigint not null,
  hash      text not null,
  at        timestamptz(3) not null,
  key_id    text not null
);
create index audit_checkpoint_by_age on audit_checkpoint (at, left(signature, 64));
create index audit_checkpoint_by_seq on audit_checkpoint (seq);

create table access_log (
  batch_id   text not null,
  position   integer not null,
  party_id   text not null,
  item_kind  text not null,
  item_id    text not null,
  action     text not null,
  at         timestamptz(3) not null,
  surface    text not null,
  subject    text not null,
  username   text not null,
  request_id text not null,
  primary key (batch_id, position),
  constraint access_log_surface check (surface in ('OPERATIONS', 'PARTNER'))
);
create index access_log_by_party on access_log (party_id, at, batch_id, position);

-- Where the sequencer stands. Numbers below `to_xid` are given out but for the rest of a window that is
-- under way: [from_xid, to_xid) beyond `ordinal`. `top` is the highest ordinal ever numbered.
create table sequencer_position (
  name     text primary key,
  from_xid xid8 not null,
  to_xid   xid8 not null,
  ordinal  bigint not null,
  top      bigint not null
);
insert into sequencer_position (name, from_xid, to_xid, ordinal, top) values ('audit', '0', '0', 0, 0);

-- The second lock of "gapless": whoever inserts, numbers follow each other.
create function require_gapless() returns trigger
  language plpgsql set search_path from current as $$
declare
  low  bigint;
  high bigint;
  rows bigint;
  last bigint;
begin
  select min(seq), max(seq), count(*) into low, high, rows from added;
  if rows = 0 then
    return null;
  end if;
  execute format('select coalesce(max(seq), 0) from %I where seq < $1', tg_table_name)
    into last using low;
  if low <> last + 1 or high <> last + rows then
    raise exception '% has no gaps', tg_table_name using errcode = 'check_violation',
      constraint = tg_table_name || '_gapless';
  end if;
  return null;
end $$;

create trigger audit_chain_gapless after insert on audit_chain
  referencing new table as added for each statement execute function require_gapless();
create trigger audit_chain_append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();
create trigger audit_checkpoint_append_only before update or delete or truncate on audit_checkpoint
  for each statement execute function refuse_change();
create trigger access_log_append_only before update or delete or truncate on access_log
  for each statement execute function refuse_change();

-- Erasure takes the values of an erased party and of nobody else. Without a context no party is
-- visible, so the owner is refused too.
create function require_erased_party() returns trigger
  language plpgsql set search_path from current as $$
begin
  if not exists (select from party where party.id = old.party_id and party.state = 'ERASED') then
    raise exception 'only the values of an erased party can be deleted'
      using errcode = 'restrict_violation', constraint = 'audit_personal_value_party_erased';
  end if;
  return old;
end $$;

create trigger audit_personal_value_party_erased before delete on audit_personal_value
  for each row execute function require_erased_party();
create policy audit_personal_value_erase on audit_personal_value for delete
  using (context_setting('scope') = 'ALL'
         and exists (select from party where party.id = party_id and party.state = 'ERASED'));

alter table audit_chain      enable row level security;
alter table audit_chain      force  row level security;
alter table audit_checkpoint enable row level security;
alter table audit_checkpoint force  row level security;
alter table access_log       enable row level security;
alter table access_log       force  row level security;

-- Written as a case, because the planner takes a plain comparison for one row in two hundred and then
-- sorts whole indexes instead of reading the first rows of them.
alter policy audit_entry_read on audit_entry
  using (case when context_setting('scope') = 'ALL' then true else false end);

create policy audit_chain_write on audit_chain for insert
  with check (context_setting('scope') = 'ALL');
create policy audit_chain_read on audit_chain for select
  using (case when context_setting('scope') = 'ALL' then true else false end);
create policy audit_checkpoint_write on audit_checkpoint for insert
  with check (context_setting('scope') = 'ALL');
create policy audit_checkpoint_read on audit_checkpoint for select
  using (case when context_setting('scope') = 'ALL' then true else false end);
create policy access_log_write on access_log for insert
  with check (context_setting('scope') = 'ALL');
-- A customer may learn who looked at the own party.
create policy access_log_read on access_log for select
  using (context_setting('scope') = 'ALL'
         or (context_setting('scope') = 'ROWS' and party_id = context_setting('party')));

grant select, insert on audit_chain, audit_checkpoint, access_log to {{app_role}};
grant select, update on sequencer_position to {{app_role}};
grant delete on audit_personal_value to {{app_role}};
