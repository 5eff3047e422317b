create sequence contract_number;

create table contract (
  id              text primary key,
  number          text collate "C" not null,
  external_ref    text,
  type            text not null,
  state           text not null,
  version         integer not null default 1,
  party_id        text not null references party (id),
  party_version   integer not null,
  partner_id      text references partner (id),
  asset           jsonb,
  terms           jsonb not null,
  plan            jsonb not null,
  commission      jsonb,
  internal_note   text,
  financed_amount numeric not null,
  first_due_date  date not null,
  serial_folded   text collate "C",
  ref_folded      text collate "C",
  content_hash    text not null,
  -- keys of persons: subject, folded name, actor, person (see access/four-eyes.ts)
  preparers       text[] not null,
  prepared_by     jsonb not null,
  submitted_by    jsonb,
  submitted_at    timestamptz(3),
  decider         text[],
  decisions       jsonb not null default '[]',
  created_by      jsonb not null,
  created_at      timestamptz(3) not null default clock_timestamp(),
  updated_by      jsonb not null,
  updated_at      timestamptz(3) not null default clock_timestamp(),
  constraint contract_number_unique unique (number),
  constraint contract_type  check (type in ('LOAN', 'HIRE_PURCHASE', 'FINANCE_LEASE', 'OPERATING_LEASE')),
  constraint contract_state check (state in ('DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'ACTIVE',
                                             'SETTLED', 'TERMINATED', 'REJECTED', 'WITHDRAWN')),
  constraint contract_amount_positive check (financed_amount > 0),
  constraint contract_preparers check (cardinality(preparers) > 0
                                   and array_position(preparers, null) is null),
  constraint contract_decided   check (state in ('DRAFT', 'PENDING_APPROVAL', 'WITHDRAWN')
                                    or coalesce(cardinality(decider), 0) > 0),
  constraint contract_four_eyes check (decider is null
                                    or (array_position(decider, null) is null
                                        and not (decider && preparers)))
);
create index contract_by_age      on contract (created_at, id);
create index contract_by_amount   on contract (financed_amount, id);
create index contract_by_due      on contract (first_due_date, id);
create index contract_by_state    on contract (state, created_at, id);
create index contract_by_party    on contract (party_id, created_at, id);
create index contract_by_partner  on contract (partner_id, created_at, id);
create index contract_by_serial   on contract (serial_folded) where serial_folded is not null;
create index contract_by_ref      on contract (ref_folded) where ref_folded is not null;
create index contract_by_preparer on contract using gin (preparers);

-- Which moves exist. The application has its own table; the two must agree (a test compares them).
create table contract_move (
  from_state text not null,
  to_state   text not null,
  decided    boolean not null,
  primary key (from_state, to_state)
);
insert into contract_move (from_state, to_state, decided) values
  ('DRAFT',            'PENDING_APPROVAL', false),
  ('DRAFT',            'WITHDRAWN',        false),
  ('PENDING_APPROVAL', 'APPROVED',         true),
  ('PENDING_APPROVAL', 'REJECTED',         true),
  ('PENDING_APPROVAL', 'DRAFT',            true),
  ('PENDING_APPROVAL', 'WITHDRAWN',        false),
  ('APPROVED',         'ACTIVE',           true),
  ('APPROVED',         'DRAFT',            false),
  ('APPROVED',         'WITHDRAWN',        false),
  ('ACTIVE',           'SETTLED',          true),
  ('ACTIVE',           'TERMINATED',       true);

create function contract_content_changed(old contract, new contract) returns boolean
  language sql immutable
  return (old.type, old.external_ref, old.party_id, old.party_version, old.partner_id, old.asset,
          old.terms, old.plan, old.commission, old.internal_note, old.financed_amount,
          old.first_due_date, old.content_hash)
    is distinct from
         (new.type, new.external_ref, new.party_id, new.party_version, new.partner_id, new.asset,
          new.terms, new.plan, new.commission, new.internal_note, new.financed_amount,
          new.first_due_date, new.content_hash);

-- The second lock of four-eyes: whatever statement reaches the table, by whatever path.
create function guard_new_contract() returns trigger
  language plpgsql as $$
begin
  if new.state not in ('DRAFT', 'PENDING_APPROVAL') or new.version <> 1
     or new.decider is not null or new.decisions <> '[]'::jsonb then
    raise exception 'a contract begins undecided' using errcode = 'check_violation',
      constraint = 'contract_begins_undecided';
  end if;
  if not coalesce('sub:' || context_setting('subject') = any (new.preparers), false) then
    raise exception 'who creates a contract is one of its preparers'
      using errcode = 'check_violation', constraint = 'contract_creator_prepares';
  end if;
  return new;
end $$;

create function guard_contract() returns trigger
  language plpgsql set search_path from current as $$
declare
  acting  text := 'sub:' || context_setting('subject');
  edited  boolean := contract_content_changed(old, new);
  decided boolean;
begin
  if (new.id, new.number, new.created_at, new.created_by)
     is distinct from (old.id, old.number, old.created_at, old.created_by) then
    raise exception 'a contract keeps its identity'
      using errcode = 'check_violation', constraint = 'contract_identity';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'each change is one version'
      using errcode = 'check_violation', constraint = 'contract_version_steps';
  end if;
  if not new.preparers @> old.preparers then
    raise exception 'preparers only grow'
      using errcode = 'check_violation', constraint = 'contract_preparers_grow';
  end if;
  if jsonb_array_length(new.decisions) < jsonb_array_length(old.decisions)
     or exists (select from generate_series(0, jsonb_array_length(old.decisions) - 1) i
                 where new.decisions -> i <> old.decisions -> i) then
    raise exception 'decisions are never rewritten'
      using errcode = 'check_violation', constraint = 'contract_decisions_grow';
  end if;
  if edited and (old.state <> 'DRAFT' or new.state not in ('DRAFT', 'PENDING_APPROVAL')) then
    raise exception 'only a draft can be edited'
      using errcode = 'check_violation', constraint = 'contract_frozen';
  end if;

  if new.state = old.state then
    decided := false;
    if new.state <> 'DRAFT' then
      raise exception 'only a draft changes in place'
        using errcode = 'check_violation', constraint = 'contract_frozen';
    end if;
  else
    select move.decided into decided from contract_move move
     where move.from_state = old.state and move.to_state = new.state;
    if not found then
      raise exception 'no move from % to %', old.state, new.state
        using errcode = 'check_violation', constraint = 'contract_moves';
    end if;
  end if;

  if decided then
    if not coalesce(acting = any (new.decider), false)
       or jsonb_array_length(new.decisions) <> jsonb_array_length(old.decisions) + 1 then
      raise exception 'a decision names who decides'
        using errcode = 'check_violation', constraint = 'contract_decider_recorded';
    end if;
    if new.preparers <> old.preparers then
      raise exception 'a decision leaves the preparers as they are'
        using errcode = 'check_violation', constraint = 'contract_preparers_kept';
    end if;
  else
    if jsonb_array_length(new.decisions) <> jsonb_array_length(old.decisions) then
      raise exception 'only a decision adds a decision'
        using errcode = 'check_violation', constraint = 'contract_decider_recorded';
    end if;
    if (edited or new.state in ('DRAFT', 'PENDING_APPROVAL'))
       and old.state = 'DRAFT' and not coalesce(acting = any (new.preparers), false) then
      raise exception 'who edits or submits a contract is one of its preparers'
        using errcode = 'check_violation', constraint = 'contract_editor_prepares';
    end if;
  end if;
  return new;
end $$;

create trigger contract_begins before insert on contract
  for each row execute function guard_new_contract();
create trigger contract_changes before update on contract
  for each row execute function guard_contract();
create trigger contract_no_delete before delete on contract
  for each row execute function refuse_change();
create trigger contract_no_truncate before truncate on contract
  for each statement execute function refuse_change();

alter table contract enable row level security;
alter table contract force  row level security;

create policy contract_rows on contract
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS'
        and coalesce(context_setting('party'), context_setting('partner')) is not null
        and (context_setting('party') is null or party_id = context_setting('party'))
        and (context_setting('partner') is null or partner_id = context_setting('partner')))
  );

-- A partner sees the parties it created or has a contract with.
create policy party_rows on party
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS'
        and coalesce(context_setting('party'), context_setting('partner')) is not null
        and (context_setting('party') is null or id = context_setting('party'))
        and (context_setting('partner') is null
             or created_by_partner = context_setting('partner')
             or exists (select from contract
                         where contract.party_id = party.id
                           and contract.partner_id = context_setting('partner'))))
  );

grant select, insert, update on contract to {{app_role}};
grant select on contract_move to {{app_role}};
grant usage on sequence contract_number to {{app_role}};
