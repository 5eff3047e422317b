-- The outbox in the order in which readers get it.

alter table event add column ordinal bigint generated always as identity;

create table event_feed (
  seq      bigint primary key,
  event_id text not null,
  at       timestamptz(3) not null default clock_timestamp(),
  constraint event_feed_event_once unique (event_id)
);

insert into sequencer_position (name, from_xid, to_xid, ordinal, top) values ('event', '0', '0', 0, 0);

create trigger event_feed_gapless after insert on event_feed
  referencing new table as added for each statement execute function require_gapless();
create trigger event_feed_append_only before update or delete or truncate on event_feed
  for each statement execute function refuse_change();

alter table event_feed enable row level security;
alter table event_feed force  row level security;

create policy event_feed_write on event_feed for insert
  with check (context_setting('scope') = 'ALL');
alter policy event_read on event
  using (case when context_setting('scope') = 'ALL' then true else false end);
create policy event_feed_read on event_feed for select
  using (case when context_setting('scope') = 'ALL' then true else false end);

grant select, insert on event_feed to {{app_role}};
