-- Pending changes: what one person proposes about an item and another one decides.

create table change (
  id           text primary key,
  kind         text not null,
  item_kind    text not null,
  item_id      text not null,
  state        text not null default 'PENDING',
  version      integer not null default 1,
  base_version integer not null,
  reason       text not null,
  -- what to do when it is approved, and what the decider sees
  proposal     jsonb not null,
  diff         jsonb not null,
  content_hash text not null,
  party_id     text references party (id),
  partner_id   text references partner (id),
  preparers    text[] not null,
  prepared_by  jsonb not null,
  decider      text[],
  decisions    jsonb not null default '[]',
  created_by   jsonb not null,
  created_at   timestamptz(3) not null default clock_timestamp(),
  updated_by   jsonb not null,
  updated_at   timestamptz(3) not null default clock_timestamp(),
  -- the transaction that decided it: only that one may carry it out
  decided_xid  xid8,
  constraint change_kind  check (kind in ('AMENDMENT', 'SETTLEMENT', 'TERMINATION', 'PARTY', 'PARTNER',
                                          'UNBLOCK', 'RESUME', 'ERASURE')),
  constraint change_item  check (item_kind in ('contract', 'party', 'partner')),
  constraint change_state check (state in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  constraint change_preparers check (cardinality(preparers) > 0
                                 and array_position(preparers, null) is null),
  constraint change_decided   check ((state in ('APPROVED', 'REJECTED'))
                                   = (coalesce(cardinality(decider), 0) > 0)),
  constraint change_four_eyes check (decider is null
                                  or (array_position(decider, null) is null
                                      and not (decider && preparers)))
);
-- One open change per item, whoever asks first.
create unique index change_one_open on change (item_kind, item_id) where state = 'PENDING';
alter table contract
  add constraint contract_change_known foreign key (change_id) references change (id);

create index change_by_item on change (item_kind, item_id, created_at, id);
create index change_waiting on change (created_at, id) where state = 'PENDING';

create function guard_new_change() returns trigger
  language plpgsql set search_path from current as $$
begin
  if new.state <> 'PENDING' or new.version <> 1 or new.decider is not null
     or new.decisions <> '[]'::jsonb or new.decided_xid is not null then
    raise exception 'a change begins undecided'
      using errcode = 'check_violation', constraint = 'change_begins_undecided';
  end if;
  if not coalesce('sub:' || context_setting('subject') = any (new.preparers), false) then
    raise exception 'who proposes a change is one of its preparers'
      using errcode = 'check_violation', constraint = 'change_proposer_prepares';
  end if;
  return new;
end $$;

create function guard_change() returns trigger
  language plpgsql set search_path from current as $$
declare
  acting text := 'sub:' || context_setting('subject');
begin
  if (new.id, new.kind, new.item_kind, new.item_id, new.base_version, new.reason, new.proposal,
      new.diff, new.content_hash, new.party_id, new.partner_id, new.preparers, new.prepared_by,
      new.created_by, new.created_at)
     is distinct from
     (old.id, old.kind, old.item_kind, old.item_id, old.base_version, old.reason, old.proposal,
      old.diff, old.content_hash, old.party_id, old.partner_id, old.preparers, old.prepared_by,
      old.created_by, old.created_at) then
    raise exception 'a pending change is frozen'
      using errcode = 'check_violation', constraint = 'change_frozen';
  end if;
  if old.state <> 'PENDING' or new.state = 'PENDING' or new.version <> old.version + 1 then
    raise exception 'a change is decided or withdrawn once'
      using errcode = 'check_violation', constraint = 'change_moves';
  end if;
  if new.state in ('APPROVED', 'REJECTED') then
    if not coalesce(acting = any (new.decider), false)
       or jsonb_array_length(new.decisions) <> jsonb_array_length(old.decisions) + 1 then
      raise exception 'a decision names who decides'
        using errcode = 'check_violation', constraint = 'change_decider_recorded';
    end if;
    new.decided_xid := pg_current_xact_id();
  elsif new.decisions <> old.decisions or new.decider is not null or new.decided_xid is not null then
    raise exception 'a withdrawal decides nothing'
      using errcode = 'check_violation', constraint = 'change_decider_recorded';
  end if;
  return new;
end $$;

create trigger change_begins before insert on change
  for each row execute function guard_new_change();
create trigger change_changes before update on change
  for each row execute function guard_change();
create trigger change_no_delete before delete on change
  for each row execute function refuse_change();
create trigger change_no_truncate before truncate on change
  for each statement execute function refuse_change();

-- True only in the transaction in which someone else approved this change of this item.
create function change_is_carried_out(change_id text, kinds text[], item text) returns boolean
  language sql stable set search_path from current
  return exists (select from change
                  where change.id = change_id and change.kind = any (kinds)
                    and change.item_id = item and change.state = 'APPROVED'
                    and change.decided_xid = pg_current_xact_id_if_assigned());

alter table change enable row level security;
alter table change force  row level security;

-- A scoped caller sees the changes of items that it sees: the ids are copied from the item.
create policy change_rows on change
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS'
        and coalesce(context_setting('party'), context_setting('partner')) is not null
        and (context_setting('party') is null or party_id = context_setting('party'))
        and (context_setting('partner') is null or partner_id = context_setting('partner')))
  );

grant select, insert, update on change to {{app_role}};
