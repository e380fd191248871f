import type { Generated } from 'kysely';

export interface AccountTables {
  app_user: UserTable;
  role: RoleTable;
  app_user_member_group: UserMemberGroupTable;
  member_group: MemberGroupTable;
  member_group_device_group: MemberGroupDeviceGroupTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
  sign_in_step: SignInStepTable;
  invitation: InvitationTable;
  known_browser: KnownBrowserTable;
  session: SessionTable;
  frame_token: FrameTokenTable;
}

export interface UserTable {
  id: Generated<number>;
  username: string;
  /** The name that makes two spellings one account. */
  username_key: string;
  password_hash: string;
  /** JSON list of strings. */
  permissions: string;
  disabled: number;
  /** 1: may ask for the longer session of a wall monitor. */
  wall_monitor_allowed: number;
  /** The group that the next session begins with. */
  member_group: number | null;
  /** '' until chosen. */
  language: string;
  created_at_ms: number;
  password_changed_at_ms: number;
  /** Null: the permissions are the user's own list. */
  role: Generated<number | null>;
  display_name: Generated<string>;
  /** IANA name; '' for the browser's own. */
  time_zone: Generated<string>;
  /** What a search looks into: both names, in lower case. */
  search_key: Generated<string>;
  /** '' for none, as is the phone number. */
  email: Generated<string>;
  phone: Generated<string>;
  /** JSON of how the member wants to be notified; '' for the defaults. */
  notify_choices: Generated<string>;
  /** 0: never. */
  expires_at_ms: Generated<number>;
  /** 0: never yet. */
  last_sign_in_at_ms: Generated<number>;
  version: Generated<number>;
}

export interface RoleTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** 'operator', 'manager' or 'administrator' for those that come with the product, else ''. */
  built_in: Generated<string>;
  /** JSON list of strings. The administrator's is not read: it holds everything. */
  permissions: string;
  second_factor_required: Generated<number>;
  version: Generated<number>;
}

interface UserMemberGroupTable {
  user_id: number;
  member_group: number;
}

export interface MemberGroupTable {
  serialno: Generated<number>;
  name: string;
  /** 0: no limit of its own. */
  retention_days: number;
  /** 0: never. */
  expires_at_ms: number;
  version: Generated<number>;
}

/** Which device groups a member group owns. */
interface MemberGroupDeviceGroupTable {
  member_group: number;
  device_group: number;
}

interface SecondFactorTable {
  user_id: number;
  /** Sealed; '' until one was enrolled. */
  secret: Generated<string>;
  /** Sealed; shown to the user and not yet proven by a code. */
  pending_secret: Generated<string>;
  /** The 30 seconds whose code was taken last: it and earlier ones are spent. */
  last_step: Generated<number>;
  /** Wrong codes in a row. */
  failures: Generated<number>;
  wait_until_ms: Generated<number>;
}

interface RecoveryCodeTable {
  user_id: number;
  code_hash: string;
}

/** Between the password and the second factor. */
interface SignInStepTable {
  ticket_hash: string;
  user_id: number;
  wall_monitor: number;
  expires_at_ms: number;
}

interface InvitationTable {
  user_id: number;
  token_hash: string;
  created_at_ms: number;
  expires_at_ms: number;
  /** The member whose rights are asked again when the link is used. */
  issued_by: number | null;
}

export interface KnownBrowserTable {
  /** Hash of the secret in the browser's cookie, which may be known to several accounts. */
  token_hash: string;
  user_id: number;
  created_at_ms: number;
  last_used_at_ms: number;
  expires_at_ms: number;
  /** Wrong codes of the second factor from this browser in a row. */
  code_failures: Generated<number>;
  code_wait_until_ms: Generated<number>;
}

export interface SessionTable {
  id_hash: string;
  user_id: number;
  /** The session's current group; null when the user belongs to none. */
  member_group: number | null;
  wall_monitor: number;
  created_at_ms: number;
  last_seen_at_ms: number;
  /** Moves with use, never past `ends_at_ms`. */
  idle_ends_at_ms: number;
  ends_at_ms: number;
  address: string;
  user_agent: string;
}

interface FrameTokenTable {
  token_hash: string;
  session_id_hash: string;
  expires_at_ms: number;
}
