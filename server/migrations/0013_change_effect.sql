-- A change does what was approved, all of it and nothing else; see change_is_carried_out for when.

-- What is approved is in force when the transaction ends.
create function require_effect() returns trigger
  language plpgsql set search_path from current as $$
begin
  if not exists (select from contract where id = new.item_id and change_id = new.id
                 union all select from party   where id = new.item_id and change_id = new.id
                 union all select from partner where id = new.item_id and change_id = new.id) then
    perform refuse_deciding('change_takes_effect', 'an approved change is carried out at once');
  end if;
  return null;
end $$;

create constraint trigger change_takes_effect after update on change
  deferrable initially deferred for each row
  when (old.state = 'PENDING' and new.state = 'APPROVED') execute function require_effect();

-- What is carried out is what was approved. The name lets the contract's own guard speak first.
create function guard_contract_change() returns trigger
  language plpgsql set search_path from current as $$
declare
  approved change;
begin
  select * into approved from change where id = new.change_id;
  if not change_is_carried_out(new.change_id, '{AMENDMENT,SETTLEMENT,TERMINATION}', new.id)
     or not coalesce(case approved.kind
          when 'AMENDMENT' then
            approved.proposal = jsonb_build_object('plan', new.plan, 'content', jsonb_strip_nulls(
              jsonb_build_object('type', new.type, 'partyId', new.party_id,
                                 'partnerId', new.partner_id, 'externalRef', new.external_ref,
                                 'asset', new.asset, 'terms', new.terms,
                                 'commission', new.commission, 'internalNote', new.internal_note)))
          else new.state <> 'ACTIVE'
               and new.effective_date = (approved.proposal ->> 'effectiveDate')::date
        end, false) then
    raise exception 'a change does what was approved, and nothing else'
      using errcode = 'check_violation', constraint = 'contract_made_as_approved',
            table = 'contract';
  end if;
  return new;
end $$;

create trigger contract_made_as_approved before update on contract
  for each row when (new.change_id is distinct from old.change_id)
  execute function guard_contract_change();
