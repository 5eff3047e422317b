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
  -- why the last move was made, where the mover said so
  move_reason     text,
  -- keys of the person who activated it: four-eyes once more
  activator       text[],
  activated_by    jsonb,
  activated_at    timestamptz(3),
  activation_date date,
  -- when a settlement or termination takes effect, as it was agreed
  effective_date  date,
  -- the approved change that made this version
  change_id       text,
  created_by      jsonb not null,
  created_at      timestamptz(3) not null default clock_timestamp(),
  updated_by      jsonb not null,
  updated_at      timestamptz(3) not null default clock_timestamp(),
  constraint contract_number_unique unique (number),
  constraint contract_number_form   check (number ~ '^[0-9]{4}-[0-9]{6,}$'),
  constraint contract_type  check (type in ('LOAN', 'HIRE_PURCHASE', 'FINANCE_LEASE', 'OPERATING_LEASE')),
  constraint contract_state check (state in ('DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'ACTIVE',
                                             'SETTLED', 'TERMINATED', 'REJECTED', 'WITHDRAWN')),
  constraint contract_amount_positive check (financed_amount > 0),
  -- What lists sort by is what the approver reads.
  constraint contract_terms_told check (
    financed_amount = (terms #>> '{financedAmount,amount}')::numeric
    and to_char(first_due_date, 'YYYY-MM-DD') = terms ->> 'firstDueDate'),
  constraint contract_hashed    check (content_hash ~ '^[0-9a-f]{64}$'),
  constraint contract_preparations check (jsonb_typeof(prepared_by) = 'array'
                                      and prepared_by <> '[]'::jsonb),
  constraint contract_submitted check ((submitted_by is null) = (submitted_at is null)
                                   and (state in ('DRAFT', 'WITHDRAWN') or submitted_by is not null)),
  constraint contract_activated check (
    (state in ('ACTIVE', 'SETTLED', 'TERMINATED')) = (activation_date is not null)
    and (activation_date is null) = (activator is null)
    and (activation_date is null) = (activated_by is null)
    and (activation_date is null) = (activated_at is null)),
  constraint contract_activator_four_eyes check (
    activator is null or (cardinality(activator) > 0 and array_position(activator, null) is null
                          and not (activator && preparers))),
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

-- A party may learn who brought its own contract.
create policy partner_of_own_contract on partner for select
  using (
    context_setting('scope') = 'ROWS' and context_setting('party') is not null
    and exists (select from contract where contract.partner_id = partner.id)
  );

-- A partner sees the parties it created or has a contract with.
create policy party_rows on party for select
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
create policy party_create on party for insert
  with check (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS' and context_setting('party') is null
        and created_by_partner = context_setting('partner'))
  );

grant select, insert, update on contract to {{app_role}};
grant usage on sequence contract_number to {{app_role}};
