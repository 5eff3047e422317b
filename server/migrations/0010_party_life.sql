-- The later life of parties and partners: changes under four-eyes, blocking, suspension, erasure.

alter table party
  add column bank_account jsonb,
  add column block_reason text,
  -- the approved change that made this version
  add column change_id    text references change (id);
create index party_by_email  on party (lower(email)) where email is not null;
create index party_by_vat_id on party ((organisation ->> 'vatId')) where organisation ->> 'vatId' is not null;
create index party_by_ref    on party (external_ref) where external_ref is not null;

-- What another person must have approved before it is in force.
create function sensitive_party(p party) returns jsonb
  language sql stable
  return jsonb_build_array(p.type, p.person, p.organisation, p.display_name, p.name_folded, p.family_folded, p.email,
                           p.phone, p.address, p.bank_account);

create function refuse_party(rule text, message text) returns void
  language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = rule, message = message,
                        table = 'party';
end $$;

-- The party as a change of kind PARTY restates it.
create function restated_party(p party) returns jsonb
  language sql stable
  return jsonb_build_object('bankAccount', p.bank_account, 'party', jsonb_strip_nulls(
    jsonb_build_object('type', p.type, 'person', p.person, 'organisation', p.organisation,
                       'email', p.email, 'phone', p.phone, 'address', p.address,
                       'language', p.language, 'externalRef', p.external_ref)));

create function is_nobody(p party) returns boolean
  language sql stable
  return p.display_name = '–' and p.name_folded = '–' and p.family_folded is null
         and coalesce(p.person = '{"firstName": "–", "lastName": "–"}', true)
         and coalesce(p.organisation = '{"name": "–"}', true)
         and coalesce(p.email, p.phone, p.language, p.external_ref, p.block_reason) is null
         and p.address is null and p.bank_account is null;

-- What an approved change may do to its party, and must.
create function does_as_approved(old party, new party, approved change) returns boolean
  language sql stable
  return case approved.kind
    when 'PARTY' then
      new.state = old.state and restated_party(new) = approved.proposal
      and new.display_name = coalesce((new.person ->> 'firstName') || ' ' || (new.person ->> 'lastName'),
                                      new.organisation ->> 'name')
    when 'UNBLOCK' then
      new.state = 'ACTIVE' and sensitive_party(new) = sensitive_party(old)
    when 'ERASURE' then
      new.state = 'ERASED' and is_nobody(new) end;

create function guard_party() returns trigger
  language plpgsql set search_path from current as $$
declare
  approved change;
begin
  if (new.id, new.created_at, new.created_by, new.created_by_partner, new.preparers)
     is distinct from
     (old.id, old.created_at, old.created_by, old.created_by_partner, old.preparers) then
    perform refuse_party('party_identity', 'a party keeps its identity');
  end if;
  if new.version <> old.version + 1 then
    perform refuse_party('party_version_steps', 'each change is one version');
  end if;
  if new.updated_by ->> 'id' is distinct from person_id(context_setting('subject')) then
    perform refuse_party('party_actor_recorded', 'who changes a party says so');
  end if;
  if old.state = 'ERASED' then
    perform refuse_party('party_moves', 'an erased party stays as it is');
  end if;
  if change_is_carried_out(new.change_id, '{PARTY,UNBLOCK,ERASURE}', new.id) then
    select * into approved from change where id = new.change_id;
    if not coalesce(does_as_approved(old, new, approved), false) then
      perform refuse_party('party_made_as_approved', 'a change does what was approved, nothing else');
    end if;
  elsif new.change_id is distinct from old.change_id
        or sensitive_party(new) is distinct from sensitive_party(old) then
    perform refuse_party('party_change_approved', 'another person must have approved this change');
  elsif new.state <> old.state and not (old.state = 'ACTIVE' and new.state = 'BLOCKED') then
    perform refuse_party('party_moves', format('no move from %s to %s', old.state, new.state));
  end if;
  -- Whoever sees only some contracts cannot know that none is left.
  if new.state = 'ERASED' and (context_setting('scope') is distinct from 'ALL'
     or exists (select from contract
                 where party_id = new.id
                   and state not in ('REJECTED', 'WITHDRAWN', 'SETTLED', 'TERMINATED'))) then
    perform refuse_party('party_erasable', 'a party with live contracts is not erased');
  end if;
  return new;
end $$;

create trigger party_changes before update on party
  for each row execute function guard_party();

-- Where money goes is decided by two, from the first day on.
create function guard_new_account() returns trigger
  language plpgsql as $$
begin
  raise exception 'a bank account is decided by two'
    using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
end $$;

create trigger party_begins_without_account before insert on party
  for each row when (new.bank_account is not null or new.change_id is not null)
  execute function guard_new_account();

alter table partner
  add column bank_account   jsonb,
  add column suspend_reason text,
  add column change_id      text references change (id),
  add column created_by     jsonb,
  add column updated_by     jsonb,
  add column updated_at     timestamptz(3) not null default clock_timestamp();

create function refuse_partner(rule text, message text) returns void
  language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = rule, message = message,
                        table = 'partner';
end $$;

create function guard_new_partner() returns trigger
  language plpgsql set search_path from current as $$
declare
  acting text := person_id(context_setting('subject'));
begin
  if new.state <> 'ACTIVE' or new.version <> 1 then
    perform refuse_partner('partner_begins', 'a partner begins active, as its first version');
  end if;
  if new.created_by ->> 'id' is distinct from acting or new.updated_by ->> 'id' is distinct from acting then
    perform refuse_partner('partner_creator_recorded', 'who creates a partner says so');
  end if;
  return new;
end $$;

create trigger partner_begins before insert on partner
  for each row execute function guard_new_partner();
create trigger partner_begins_without_account before insert on partner
  for each row when (new.bank_account is not null or new.change_id is not null)
  execute function guard_new_account();

create function guard_partner() returns trigger
  language plpgsql set search_path from current as $$
declare
  approved change;
begin
  if (new.id, new.code, new.created_at, new.created_by)
     is distinct from (old.id, old.code, old.created_at, old.created_by) then
    perform refuse_partner('partner_identity', 'a partner keeps its identity');
  end if;
  if new.version <> old.version + 1 then
    perform refuse_partner('partner_version_steps', 'each change is one version');
  end if;
  if new.updated_by ->> 'id' is distinct from person_id(context_setting('subject')) then
    perform refuse_partner('partner_actor_recorded', 'who changes a partner says so');
  end if;
  if change_is_carried_out(new.change_id, '{PARTNER,RESUME}', new.id) then
    select * into approved from change where id = new.change_id;
    if not coalesce(case approved.kind
         when 'PARTNER' then new.state = old.state
              and jsonb_build_object('bankAccount', new.bank_account) = approved.proposal
         else new.state = 'ACTIVE' and new.bank_account is not distinct from old.bank_account
         end, false) then
      perform refuse_partner('partner_made_as_approved',
                             'a change does what was approved, nothing else');
    end if;
  elsif new.change_id is distinct from old.change_id
        or new.bank_account is distinct from old.bank_account then
    perform refuse_partner('partner_change_approved', 'another person must have approved this change');
  elsif old.state = 'SUSPENDED' and new.state <> old.state then
    perform refuse_partner('partner_moves', 'another person must have approved the resumption');
  end if;
  return new;
end $$;

create trigger partner_changes before update on partner
  for each row execute function guard_partner();

-- A partner's staff may look at it as it is decided about, and change nothing of it.
create policy partner_edit on partner for update
  using (context_setting('scope') = 'ALL'
         or (context_setting('scope') = 'ROWS' and id = context_setting('partner')))
  with check (context_setting('scope') = 'ALL');

-- Who sees a party may touch it, as far as permissions go.
create policy party_edit on party for update
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

grant update on party, partner to {{app_role}};
