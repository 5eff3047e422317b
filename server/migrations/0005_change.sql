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
  -- why it was taken back, where it was
  withdrawal_reason text,
  created_by   jsonb not null,
  created_at   timestamptz(3) not null default clock_timestamp(),
  updated_by   jsonb not null,
  updated_at   timestamptz(3) not null default clock_timestamp(),
  -- the transaction that decided it: only that one may carry it out
  decided_xid  xid8,
  constraint change_kind  check (kind in ('AMENDMENT', 'SETTLEMENT', 'TERMINATION', 'PARTY', 'PARTNER',
                                          'UNBLOCK', 'RESUME', 'ERASURE')),
  constraint change_item  check (item_kind in ('contract', 'party', 'partner')),
  constraint change_kind_of_item check (
    case item_kind when 'contract' then kind in ('AMENDMENT', 'SETTLEMENT', 'TERMINATION')
                   when 'party'    then kind in ('PARTY', 'UNBLOCK', 'ERASURE')
                   else                 kind in ('PARTNER', 'RESUME') end),
  constraint change_state check (state in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  constraint change_reason check (reason ~ '\S'),
  constraint change_withdrawal_told check (
    (state = 'WITHDRAWN') = (coalesce(withdrawal_reason, '') ~ '\S')),
  constraint change_preparations check (jsonb_typeof(prepared_by) = 'array'
                                    and prepared_by <> '[]'::jsonb),
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

-- The item of a change as it stands now; none where the acting one may not see it.
create function item_of_change(of_kind text, item text)
  returns table (version integer, party_id text, partner_id text)
  language sql stable
begin atomic
  select c.version, c.party_id, c.partner_id from contract c where of_kind = 'contract' and c.id = item
  union all
  select p.version, p.id, p.created_by_partner from party p where of_kind = 'party' and p.id = item
  union all
  select n.version, null, n.id from partner n where of_kind = 'partner' and n.id = item;
end;

create function refuse_deciding(rule text, message text) returns void
  language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = rule, message = message,
                        table = 'change';
end $$;

create function guard_new_change() returns trigger
  language plpgsql set search_path from current as $$
declare
  acting text := person_id(context_setting('subject'));
begin
  if new.state <> 'PENDING' or new.version <> 1 or new.decider is not null
     or new.decisions <> '[]'::jsonb or new.decided_xid is not null then
    perform refuse_deciding('change_begins_undecided', 'a change begins undecided');
  end if;
  if not name_acting(new.preparers, new.created_by)
     or new.updated_by ->> 'id' is distinct from acting
     or not new.prepared_by @> jsonb_build_array(jsonb_build_object('id', acting)) then
    perform refuse_deciding('change_proposer_prepares',
                            'who proposes a change is one of its preparers');
  end if;
  if not exists (select from item_of_change(new.item_kind, new.item_id) item
                  where item.version = new.base_version
                    and item.party_id is not distinct from new.party_id
                    and item.partner_id is not distinct from new.partner_id) then
    perform refuse_deciding('change_item_seen',
                            'a change is proposed about an item as it stands now');
  end if;
  return new;
end $$;

-- A decision is taken by the acting one, about exactly this change and the item it was proposed about.
create function guard_change_decision(old change, new change) returns void
  language plpgsql as $$
declare
  last jsonb := new.decisions -> -1;
begin
  if not name_acting(new.decider, new.updated_by) or jsonb_array_length(new.decisions) <> 1 then
    perform refuse_deciding('change_decider_recorded', 'a decision names who decides');
  end if;
  if last -> 'by' ->> 'id' is distinct from person_id(context_setting('subject'))
     or last -> 'version' is distinct from to_jsonb(old.version)
     or last ->> 'contentHash' is distinct from old.content_hash
     or last ->> 'decision' is distinct from new.state
     or not is_now((last ->> 'at')::timestamptz) then
    perform refuse_deciding('change_decision_true',
                            'a decision says who decided what about which version, and when');
  end if;
  if new.state = 'APPROVED'
     and not exists (select from item_of_change(old.item_kind, old.item_id) item
                      where item.version = old.base_version) then
    perform refuse_deciding('change_item_unmoved', 'the item has moved since this was proposed');
  end if;
end $$;

-- What stays of a change once its party is erased: who decided about which members, no value of them.
create function is_forgotten(old change, new change) returns boolean
  language sql stable
  return old.item_kind = 'party' and old.state <> 'PENDING' and new.proposal = '{}'::jsonb
         and new.diff = (select coalesce(jsonb_agg(jsonb_build_object(
                                  'pointer', told -> 'pointer', 'before', null, 'after', null)), '[]')
                           from jsonb_array_elements(old.diff) told)
         and to_jsonb(new) - '{proposal,diff}'::text[] = to_jsonb(old) - '{proposal,diff}'::text[]
         and exists (select from party where party.id = old.item_id and party.state = 'ERASED');

create function guard_change() returns trigger
  language plpgsql set search_path from current as $$
begin
  if is_forgotten(old, new) then
    return new;
  end if;
  if (new.id, new.kind, new.item_kind, new.item_id, new.base_version, new.reason, new.proposal,
      new.diff, new.content_hash, new.party_id, new.partner_id, new.preparers, new.prepared_by,
      new.created_by, new.created_at)
     is distinct from
     (old.id, old.kind, old.item_kind, old.item_id, old.base_version, old.reason, old.proposal,
      old.diff, old.content_hash, old.party_id, old.partner_id, old.preparers, old.prepared_by,
      old.created_by, old.created_at) then
    perform refuse_deciding('change_frozen', 'a pending change is frozen');
  end if;
  if old.state <> 'PENDING' or new.state = 'PENDING' or new.version <> old.version + 1 then
    perform refuse_deciding('change_moves', 'a change is decided or withdrawn once');
  end if;
  if new.updated_by ->> 'id' is distinct from person_id(context_setting('subject')) then
    perform refuse_deciding('change_actor_recorded', 'who moves a change says so');
  end if;
  if new.state in ('APPROVED', 'REJECTED') then
    perform guard_change_decision(old, new);
    new.decided_xid := pg_current_xact_id();
  elsif new.decisions <> old.decisions or new.decider is not null or new.decided_xid is not null then
    perform refuse_deciding('change_decider_recorded', 'a withdrawal decides nothing');
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

-- True only in the transaction in which someone else approved this change of this item, and only once:
-- carrying it out moves the item on from the version that the change was proposed about.
create function change_is_carried_out(change_id text, kinds text[], item text) returns boolean
  language sql stable set search_path from current
  return exists (select from change
                  where change.id = change_id and change.kind = any (kinds)
                    and change.item_id = item and change.state = 'APPROVED'
                    and change.decided_xid = pg_current_xact_id_if_assigned()
                    and exists (select from item_of_change(change.item_kind, item) stands
                                 where stands.version = change.base_version));

alter table change enable row level security;
alter table change force  row level security;

-- A scoped caller sees the changes of items that it sees. Of a contract or a partner the ids are copied
-- from the item; which parties a partner sees changes with its contracts.
create policy change_rows on change
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS'
        and coalesce(context_setting('party'), context_setting('partner')) is not null
        and case item_kind
              when 'party' then exists (select from party where party.id = item_id)
              else (context_setting('party') is null or party_id = context_setting('party'))
                   and (context_setting('partner') is null
                        or partner_id = context_setting('partner')) end)
  );

grant select, insert, update on change to {{app_role}};
