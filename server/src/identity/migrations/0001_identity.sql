-- Accounts of the embedded identity provider, its clients, and what it has handed out.

create table account (
  id              text primary key,
  username        text not null,
  username_folded text not null,
  password_hash   text not null,
  state           text not null default 'ACTIVE',
  party_id        text,
  partner_id      text,
  first_name      text,
  last_name       text,
  email           text,
  -- Its password is its name: refused wherever the demo was not asked for.
  demo            boolean not null default false,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  -- Four-eyes compares folded names: two accounts must not share one.
  constraint account_username_taken unique (username_folded),
  constraint account_username       check (length(username) between 1 and 64),
  constraint account_state          check (state in ('ACTIVE', 'DISABLED')),
  constraint account_party          check (length(party_id) between 1 and 64),
  constraint account_partner        check (length(partner_id) between 1 and 64),
  constraint account_password_hash  check (password_hash like '$argon2id$%')
);

create table account_permission (
  account_id text not null references account (id),
  code       text not null,
  primary key (account_id, code),
  constraint account_permission_code check (code ~ '^[a-z-]+:[a-z-]+$')
);

-- Systems of partners: client credentials, bound to one partner.
create table oauth_client (
  id            text primary key,
  secret_sha256 text not null,
  partner_id    text not null,
  state         text not null default 'ACTIVE',
  created_at    timestamptz(3) not null default now(),
  constraint oauth_client_id      check (id ~ '^tfs-partner-[a-z0-9][a-z0-9-]{0,47}$'),
  constraint oauth_client_secret  check (secret_sha256 ~ '^[0-9a-f]{64}$'),
  constraint oauth_client_partner check (length(partner_id) between 1 and 64),
  constraint oauth_client_state   check (state in ('ACTIVE', 'DISABLED'))
);

create table oauth_client_permission (
  client_id text not null references oauth_client (id),
  code      text not null,
  primary key (client_id, code),
  constraint oauth_client_permission_code check (code ~ '^[a-z-]+:[a-z-]+$')
);

create table account_audit (
  id          bigint generated always as identity primary key,
  at          timestamptz(3) not null default clock_timestamp(),
  actor       text not null,
  action      text not null,
  target_kind text not null,
  target_id   text not null,
  target_name text not null,
  before      jsonb,
  after       jsonb,
  constraint account_audit_target_kind check (target_kind in ('ACCOUNT', 'CLIENT'))
);
create index account_audit_by_target on account_audit (target_kind, target_id, id);

create function refuse_account_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'account_audit is append-only' using errcode = 'restrict_violation';
end $$;

create trigger account_audit_append_only
  before update or delete or truncate on account_audit
  for each statement execute function refuse_account_audit_change();

-- Codes, tokens, sessions, grants. Found by a digest: reading the table gives nothing that works.
create table artifact (
  kind        text not null,
  id_sha256   text not null,
  payload     jsonb not null,
  grant_id    text,
  account_id  text,
  uid         text,
  user_code   text,
  consumed_at timestamptz(3),
  expires_at  timestamptz(3) not null,
  primary key (kind, id_sha256)
);
create index artifact_by_grant   on artifact (grant_id) where grant_id is not null;
create index artifact_by_account on artifact (account_id) where account_id is not null;
create unique index artifact_session_uid on artifact (uid) where uid is not null;
create unique index artifact_user_code   on artifact (user_code) where user_code is not null;
create index artifact_by_expiry  on artifact (expires_at);

grant select, insert, update on account, oauth_client to {{app_role}};
grant select, insert, delete on account_permission, oauth_client_permission to {{app_role}};
grant select, insert on account_audit to {{app_role}};
grant select, insert, update, delete on artifact to {{app_role}};
