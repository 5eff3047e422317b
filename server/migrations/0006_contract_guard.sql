-- The second lock of four-eyes: whatever statement reaches the table, by whatever path.

-- Which moves exist. The application has its own table; the two must agree (a test compares them).
-- `decision` is the word that the move leaves in the story.
create table contract_move (
  from_state text not null,
  to_state   text not null,
  decided    boolean not null,
  decision   text,
  -- the kind of change that alone can make it
  change     text,
  primary key (from_state, to_state),
  constraint contract_move_decision check (decided = (decision is not null))
);
insert into contract_move (from_state, to_state, decided, decision, change) values
  ('DRAFT',            'PENDING_APPROVAL', false, null,       null),
  ('DRAFT',            'WITHDRAWN',        false, null,       null),
  ('PENDING_APPROVAL', 'APPROVED',         true,  'APPROVED', null),
  ('PENDING_APPROVAL', 'REJECTED',         true,  'REJECTED', null),
  ('PENDING_APPROVAL', 'DRAFT',            true,  'RETURNED', null),
  ('PENDING_APPROVAL', 'WITHDRAWN',        false, null,       null),
  ('APPROVED',         'ACTIVE',           false, null,       null),
  ('APPROVED',         'DRAFT',            false, null,       null),
  ('APPROVED',         'WITHDRAWN',        false, null,       null),
  ('ACTIVE',           'SETTLED',          false, null,       'SETTLEMENT'),
  ('ACTIVE',           'TERMINATED',       false, null,       'TERMINATION');

-- What an approver decides on, as far as it is stored: the content hash covers it.
create function decided_content(c contract) returns jsonb
  language sql stable
  return jsonb_build_array(c.type, c.external_ref, c.party_id, c.party_version, c.partner_id,
                           c.asset, c.terms, c.plan, c.commission);

create function whole_content(c contract) returns jsonb
  language sql stable
  return decided_content(c)
         || jsonb_build_array(c.content_hash, c.internal_note, c.financed_amount, c.first_due_date,
                              c.serial_folded, c.ref_folded);

-- True when the later list begins with the earlier one.
create function continues(earlier jsonb, later jsonb) returns boolean
  language sql immutable
  return jsonb_array_length(later) >= jsonb_array_length(earlier)
         and not exists (select from generate_series(0, jsonb_array_length(earlier) - 1) i
                          where later -> i <> earlier -> i);

-- Keys must tell the acting subject and its name (see access/four-eyes.ts). How names are folded only
-- the application knows, except where there is nothing to fold but the case.
create function name_acting(keys text[], by jsonb) returns boolean
  language sql stable
  return coalesce('sub:' || context_setting('subject') = any (keys), false)
         and coalesce(by ->> 'id' = person_id(context_setting('subject')), false)
         and case when by ->> 'username' ~ '^[!-~]+$'
                  then 'name:' || lower(by ->> 'username' collate "C") = any (keys)
                  else exists (select from unnest(keys) key where key like 'name:_%') end;

-- Written by the database's clock; the minute is for clocks that are set meanwhile.
create function is_now(at timestamptz) returns boolean
  language sql volatile
  return coalesce(at between transaction_timestamp() - interval '1 minute'
                         and clock_timestamp() + interval '1 minute', false);

create function refuse_contract(rule text, message text) returns void
  language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = rule, message = message,
                        table = 'contract';
end $$;

create function guard_new_contract() returns trigger
  language plpgsql set search_path from current as $$
declare
  acting text := person_id(context_setting('subject'));
begin
  if new.state not in ('DRAFT', 'PENDING_APPROVAL') or new.version <> 1
     or new.decider is not null or new.decisions <> '[]'::jsonb
     or new.change_id is not null or new.effective_date is not null then
    perform refuse_contract('contract_begins_undecided', 'a contract begins undecided');
  end if;
  if not name_acting(new.preparers, new.created_by)
     or new.updated_by ->> 'id' is distinct from acting
     or jsonb_array_length(new.prepared_by) <> 1
     or new.prepared_by -> 0 ->> 'id' is distinct from acting then
    perform refuse_contract('contract_creator_prepares',
                            'who creates a contract is its one preparer');
  end if;
  if (new.state = 'DRAFT' and new.submitted_by is not null)
     or (new.state <> 'DRAFT' and (new.submitted_by ->> 'id' is distinct from acting
                                   or not is_now(new.submitted_at))) then
    perform refuse_contract('contract_submission', 'who submits says so, and when');
  end if;
  return new;
end $$;

-- What no change may do, whichever it is.
create function guard_contract_story(old contract, new contract) returns void
  language plpgsql as $$
begin
  if (new.id, new.number, new.created_at, new.created_by)
     is distinct from (old.id, old.number, old.created_at, old.created_by) then
    perform refuse_contract('contract_identity', 'a contract keeps its identity');
  end if;
  if new.version <> old.version + 1 then
    perform refuse_contract('contract_version_steps', 'each change is one version');
  end if;
  if new.updated_by ->> 'id' is distinct from person_id(context_setting('subject')) then
    perform refuse_contract('contract_actor_recorded', 'who changes a contract says so');
  end if;
  if not (new.preparers @> old.preparers and continues(old.prepared_by, new.prepared_by)) then
    perform refuse_contract('contract_preparers_grow', 'preparers only grow');
  end if;
  if not continues(old.decisions, new.decisions) then
    perform refuse_contract('contract_decisions_grow', 'decisions are never rewritten');
  end if;
end $$;

-- Editing and submitting: the acting one becomes a preparer, and no decision stands any more.
create function guard_contract_preparation(old contract, new contract) returns void
  language plpgsql as $$
declare
  acting text := person_id(context_setting('subject'));
begin
  if not name_acting(new.preparers, new.updated_by)
     or not new.prepared_by @> jsonb_build_array(jsonb_build_object('id', acting)) then
    perform refuse_contract('contract_editor_prepares',
                            'who edits or submits a contract is one of its preparers');
  end if;
  if new.decider is not null then
    perform refuse_contract('contract_decider_kept', 'what is prepared anew is undecided');
  end if;
  if new.state = 'PENDING_APPROVAL' and (new.submitted_by ->> 'id' is distinct from acting
                                         or not is_now(new.submitted_at)) then
    perform refuse_contract('contract_submission', 'who submits says so, and when');
  end if;
end $$;

-- A decision is taken by the acting one, about exactly the version that stood there.
create function guard_contract_decision(old contract, new contract, word text) returns void
  language plpgsql as $$
declare
  last jsonb := new.decisions -> -1;
begin
  if not name_acting(new.decider, new.updated_by)
     or jsonb_array_length(new.decisions) <> jsonb_array_length(old.decisions) + 1 then
    perform refuse_contract('contract_decider_recorded', 'a decision names who decides');
  end if;
  if last -> 'by' ->> 'id' is distinct from person_id(context_setting('subject'))
     or last -> 'version' is distinct from to_jsonb(old.version)
     or last ->> 'contentHash' is distinct from old.content_hash
     or last ->> 'decision' is distinct from word
     or not is_now((last ->> 'at')::timestamptz) then
    perform refuse_contract('contract_decision_true',
                            'a decision says who decided what about which version, and when');
  end if;
end $$;

-- Activating binds the house: it is recorded who did it, and that it was no preparer.
create function guard_contract_activation(old contract, new contract) returns void
  language plpgsql as $$
begin
  if old.state = 'APPROVED' and new.state = 'ACTIVE' then
    if not name_acting(new.activator, new.activated_by) or not is_now(new.activated_at)
       or new.activated_by ->> 'id' is distinct from person_id(context_setting('subject')) then
      perform refuse_contract('contract_activator_recorded', 'who activates says so, and when');
    end if;
  elsif (new.activator, new.activated_by, new.activated_at, new.activation_date)
        is distinct from
        (old.activator, old.activated_by, old.activated_at, old.activation_date) then
    perform refuse_contract('contract_activator_recorded', 'only activating tells of an activation');
  end if;
end $$;

create function guard_contract() returns trigger
  language plpgsql set search_path from current as $$
declare
  prepares boolean := old.state = 'DRAFT' and new.state in ('DRAFT', 'PENDING_APPROVAL');
  amends   boolean := old.state = 'ACTIVE' and new.state = 'ACTIVE'
                      and change_is_carried_out(new.change_id, '{AMENDMENT}', new.id);
  move     contract_move;
begin
  perform guard_contract_story(old, new);
  perform guard_contract_activation(old, new);
  if whole_content(new) is distinct from whole_content(old) and not amends
     and (old.state <> 'DRAFT' or new.state <> 'DRAFT') then
    perform refuse_contract('contract_frozen', 'only a draft can be edited');
  end if;
  if decided_content(new) is distinct from decided_content(old)
     and new.content_hash = old.content_hash then
    perform refuse_contract('contract_hash_follows', 'other content has another hash');
  end if;

  if new.state = old.state then
    if new.state <> 'DRAFT' and not amends then
      perform refuse_contract('contract_frozen', 'only a draft changes in place');
    end if;
  else
    select * into move from contract_move
     where from_state = old.state and to_state = new.state;
    if not found then
      perform refuse_contract('contract_moves',
                              format('no move from %s to %s', old.state, new.state));
    end if;
  end if;

  if (move.change is not null
      and not change_is_carried_out(new.change_id, array[move.change], new.id))
     or (move.change is null and new.effective_date is distinct from old.effective_date) then
    perform refuse_contract('contract_change_approved',
                            'another person must have approved this change');
  end if;

  if move.decided then
    perform guard_contract_decision(old, new, move.decision);
  elsif jsonb_array_length(new.decisions) <> jsonb_array_length(old.decisions) then
    perform refuse_contract('contract_decider_recorded', 'only a decision adds a decision');
  elsif prepares then
    perform guard_contract_preparation(old, new);
  elsif new.decider is distinct from old.decider
        and not (new.state = 'DRAFT' and new.decider is null) then
    perform refuse_contract('contract_decider_kept', 'only a decision names a decider');
  end if;

  if not prepares and (new.preparers, new.prepared_by)
                      is distinct from (old.preparers, old.prepared_by) then
    perform refuse_contract('contract_preparers_kept', 'only preparing adds preparers');
  end if;
  if new.state <> 'PENDING_APPROVAL' and (new.submitted_by, new.submitted_at)
                                         is distinct from (old.submitted_by, old.submitted_at) then
    perform refuse_contract('contract_submission', 'only submitting tells of a submission');
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

grant select on contract_move to {{app_role}};
