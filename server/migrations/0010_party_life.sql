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

create function guard_party() returns trigger
  language plpgsql set search_path from current as $$
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
  if sensitive_party(new) is distinct from sensitive_party(old)
     and not change_is_carried_out(new.change_id, '{PARTY,ERASURE}', new.id) then
    perform refuse_party('party_change_approved', 'another person must have approved this change');
  end if;
  if new.state <> old.state and not (
       (old.state = 'ACTIVE' and new.state = 'BLOCKED')
       or (old.state = 'BLOCKED' and new.state = 'ACTIVE'
           and change_is_carried_out(new.change_id, '{UNBLOCK}', new.id))
       or (new.state = 'ERASED' and change_is_carried_out(new.change_id, '{ERASURE}', new.id))) then
    perform refuse_party('party_moves', format('no move from %s to %s', old.state, new.state));
  end if;
  if old.state = 'ERASED' then
    perform refuse_party('party_moves', 'an erased party stays as it is');
  end if;
  return new;
end $$;

create trigger party_changes before update on party
  for each row execute function guard_party();

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

create function guard_partner() returns trigger
  language plpgsql set search_path from current as $$
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
  if new.bank_account is distinct from old.bank_account
     and not change_is_carried_out(new.change_id, '{PARTNER}', new.id) then
    perform refuse_partner('partner_change_approved', 'another person must have approved this change');
  end if;
  if old.state = 'SUSPENDED' and new.state = 'ACTIVE'
     and not change_is_carried_out(new.change_id, '{RESUME}', new.id) then
    perform refuse_partner('partner_moves', 'another person must have approved the resumption');
  end if;
  return new;
end $$;

create trigger partner_changes before update on partner
  for each row execute function guard_partner();

create policy partner_edit on partner for update
  using (context_setting('scope') = 'ALL')
  with check (context_setting('scope') = 'ALL');

create policy party_edit on party for update
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS' and context_setting('party') is null
        and created_by_partner = context_setting('partner'))
  );

grant update on party, partner to {{app_role}};
