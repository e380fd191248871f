// Every environment variable, once: `--help`, the documentation and the reader are made from this table.
import { anyText, day, integer, listOf, oneOf, optional, textOf, type ValueParser } from './valueParsers.ts';

export interface Variable<T> {
  readonly name: string;
  /** The text that stands for it when it is not set. */
  readonly preset: string;
  readonly parser: ValueParser<T>;
  readonly about: string;
  /** Never shown, not even in a complaint about its value. */
  readonly secret?: true;
}

const PORT = integer(0, 65_535);
const HOST_NAME = /^(?!-)[a-z\d.-]{1,253}$|^[\da-f:.]{2,45}$/i;
const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z\d.-]+(?::\d{1,5})?$|^https?:\/\/\[[\da-f:]+\](?::\d{1,5})?$/i;
const NETWORK = /^[\da-f:.]+(?:\/\d{1,3})?$|^loopback$|^linklocal$|^uniquelocal$/i;

function variable<T>(declaration: Variable<T>): Variable<T> {
  return declaration;
}

const network = {
  host: variable({
    name: 'HOST',
    preset: '0.0.0.0',
    parser: textOf('an address of this machine', HOST_NAME),
    about: 'Address to listen on, for browsers and terminals.',
  }),
  port: variable({
    name: 'PORT',
    preset: '8080',
    parser: PORT,
    about: 'Port for pages, API and streams. 0 takes any free port.',
  }),
  httpPort: variable({
    name: 'HTTP_PORT',
    preset: '',
    parser: optional(PORT),
    about: 'With TLS: port that redirects plain HTTP to HTTPS. Unset: none.',
  }),
  tls: variable({
    name: 'TLS',
    preset: 'off',
    parser: oneOf('off', 'self-signed'),
    about: 'self-signed creates a certificate at the first start and keeps it under DATA_DIR.',
  }),
  tlsCert: variable({
    name: 'TLS_CERT',
    preset: '',
    parser: optional(anyText('a path')),
    about: 'File with the certificate chain (PEM); needs TLS_KEY.',
  }),
  tlsKey: variable({
    name: 'TLS_KEY',
    preset: '',
    parser: optional(anyText('a path')),
    about: 'File with the private key (PEM); needs TLS_CERT.',
  }),
  trustedProxies: variable({
    name: 'TRUSTED_PROXIES',
    preset: '',
    parser: listOf('addresses or networks, such as 10.0.0.0/8, separated by commas', NETWORK),
    about:
      'Proxies whose X-Forwarded-* headers are trusted. Unset behind a proxy: all its clients count as one address.',
  }),
  frameAncestors: variable({
    name: 'FRAME_ANCESTORS',
    preset: '',
    parser: listOf('origins, such as https://portal.example, separated by commas', ORIGIN),
    about:
      'Sites that can frame the pages. Unset: any site can frame the three video pages, and no other site the rest.',
  }),
};

const devices = {
  jt808Port: variable({
    name: 'JT808_PORT',
    preset: '7808',
    parser: PORT,
    about: 'Port that terminals connect to (JT/T 808).',
  }),
  jt808AcknowledgedIds: variable({
    name: 'JT808_ACKNOWLEDGED_IDS',
    preset: '0506',
    parser: listOf('message IDs of four hexadecimal digits, separated by commas', /^[\da-f]{4}$/i),
    about: 'Vendor-specific terminal messages to answer with success, because some terminals disconnect otherwise.',
  }),
  jt1078Port: variable({
    name: 'JT1078_PORT',
    preset: '7078',
    parser: integer(0, 65_532),
    about: 'First of four ports for video and audio (JT/T 1078): main, sub, playback, talk. 0 takes any free ports.',
  }),
  publicHost: variable({
    name: 'PUBLIC_HOST',
    preset: '',
    parser: optional(textOf('a host name or an address', HOST_NAME)),
    about: 'Host that terminals send video to. Unset: the address that they connected to.',
  }),
  publicJt1078Port: variable({
    name: 'PUBLIC_JT1078_PORT',
    preset: '',
    parser: optional(integer(1, 65_532)),
    about: 'First of the four video ports as terminals see them. Unset: JT1078_PORT.',
  }),
};

const storage = {
  dataDir: variable({
    name: 'DATA_DIR',
    preset: 'data',
    parser: textOf('a path', /./),
    about: 'Folder for the database, certificates and recordings.',
  }),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    preset: '',
    parser: optional(textOf('postgres://user:password@host:port/database', /^postgres(?:ql)?:\/\/\S+$/)),
    about: 'PostgreSQL database to use instead of the embedded one.',
    secret: true,
  }),
};

const recordings = {
  recordingDir: variable({
    name: 'RECORDING_DIR',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'Folder for recordings. Unset: recordings under DATA_DIR.',
  }),
  recording: variable({
    name: 'RECORDING',
    preset: 'off',
    parser: oneOf('off', 'always', 'ignition'),
    about: 'When devices without their own recording settings are recorded, until an administrator sets it.',
  }),
  recordingRetentionDays: variable({
    name: 'RECORDING_RETENTION_DAYS',
    preset: '0',
    parser: integer(0, 36_500),
    about: 'Days to keep their recordings; a member group can have fewer. 0: until space runs out.',
  }),
  positionRetentionDays: variable({
    name: 'POSITION_RETENTION_DAYS',
    preset: '365',
    parser: integer(0, 36_500),
    about: 'Days to keep positions; a member group can have fewer. 0: as set for the member group.',
  }),
  recordingMinFreeMb: variable({
    name: 'RECORDING_MIN_FREE_MB',
    preset: '2048',
    parser: integer(16, 1_000_000_000),
    about: 'Megabytes to keep free on the recording disk. The oldest recordings are deleted, evidence never.',
  }),
  recordingMaxMb: variable({
    name: 'RECORDING_MAX_MB',
    preset: '0',
    parser: integer(0, 1_000_000_000_000),
    about: 'Maximum megabytes of all recordings. 0: no limit.',
  }),
  evidenceMaxMb: variable({
    name: 'EVIDENCE_MAX_MB',
    preset: '51200',
    parser: integer(0, 1_000_000_000_000),
    about: 'Maximum megabytes of all recordings held as evidence. 0: no limit.',
  }),
  recordingSyncSeconds: variable({
    name: 'RECORDING_SYNC_SECONDS',
    preset: '5',
    parser: integer(1, 60),
    about: 'Seconds between syncs of recordings to disk. A power cut costs at most that and a little more.',
  }),
};

const operation = {
  adminPassword: variable({
    name: 'ADMIN_PASSWORD',
    preset: '',
    parser: optional(textOf('at least 8 characters', /^.{8,256}$/su)),
    about:
      'Password of the user admin, created at the first start. Common passwords are refused. Unset: a random one, printed once.',
    secret: true,
  }),
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    preset: '',
    parser: optional(textOf('at least 16 letters, digits, - or _', /^[\w-]{16,256}$/)),
    about: 'Bearer token for /metrics. Unset: /metrics is off.',
    secret: true,
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    preset: 'info',
    parser: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    about: 'Lowest level to log, as JSON lines on standard error.',
  }),
};

const presets = {
  webTitle: variable({
    name: 'WEB_TITLE',
    preset: '',
    parser: anyText('any text'),
    about: 'Title of the pages, until an administrator sets one. Unset: the product name.',
  }),
  liveLayout: variable({
    name: 'LIVE_LAYOUT',
    preset: '',
    parser: oneOf('', '3x3'),
    about: 'Live view of 7 or 8 channels in three columns instead of four, until an administrator sets it.',
  }),
  playbackLayout: variable({
    name: 'PLAYBACK_LAYOUT',
    preset: '',
    parser: oneOf('', '3x3'),
    about: 'The same for local playback.',
  }),
  maxLicense: variable({
    name: 'MAX_LICENSE',
    preset: '0',
    parser: integer(0, 1_000_000_000),
    about: 'Number of licensed devices, until an administrator sets it. 0: no limit.',
  }),
  licenseExpiresMs: variable({
    name: 'LICENSE_EXPIRES',
    preset: '',
    parser: day('a day as yyyy-MM-dd'),
    about: 'Day on which the license expires (UTC), until an administrator sets it. Unset: never.',
  }),
};

const maps = {
  mapStyleUrl: variable({
    name: 'MAP_STYLE_URL',
    preset: '',
    parser: optional(textOf('a URL of a map style, starting with https:// or http://', /^https?:\/\/\S+$/i)),
    about: "URL of the base map's style (MapLibre style JSON). Unset: MAP_PMTILES, or the built-in world map.",
  }),
  mapPmtiles: variable({
    name: 'MAP_PMTILES',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'File with the street map of your region (PMTiles 3, vector), which the gateway serves to signed-in users.',
  }),
  mapAttribution: variable({
    name: 'MAP_ATTRIBUTION',
    preset: '',
    parser: anyText('any text'),
    about: 'Attribution of the base map, in addition to that in the style.',
  }),
  mapOrigins: variable({
    name: 'MAP_ORIGINS',
    preset: '',
    parser: listOf('origins, such as https://tiles.example, separated by commas', ORIGIN),
    about: 'Other sites that the style loads tiles, icons and fonts from. Its own site is always allowed.',
  }),
};

export const variables = { ...network, ...devices, ...storage, ...recordings, ...operation, ...presets, ...maps };

type Variables = typeof variables;

export type Config = { readonly [Key in keyof Variables]: Variables[Key] extends Variable<infer T> ? T : never };
