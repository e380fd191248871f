// Every environment variable, once: `--help`, the documentation and the reader are made from this table.
import { anyText, day, integer, listOf, oneOf, optional, type Takes, textOf } from './takes.ts';

export interface Variable<T> {
  readonly name: string;
  /** The text that stands for it when it is not set. */
  readonly preset: string;
  readonly takes: Takes<T>;
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
    takes: textOf('an address of this machine', HOST_NAME),
    about: 'Address that the gateway listens on, for browsers and for terminals.',
  }),
  port: variable({
    name: 'PORT',
    preset: '8080',
    takes: PORT,
    about: 'Port of pages, API and streams. 0 takes any free one.',
  }),
  httpPort: variable({
    name: 'HTTP_PORT',
    preset: '',
    takes: optional(PORT),
    about: 'With TLS: port that answers plain HTTP with a redirect. Unset: none.',
  }),
  tls: variable({
    name: 'TLS',
    preset: 'off',
    takes: oneOf('off', 'self-signed'),
    about: 'self-signed makes a certificate on the first start and keeps it under DATA_DIR.',
  }),
  tlsCert: variable({
    name: 'TLS_CERT',
    preset: '',
    takes: optional(anyText('a path')),
    about: 'File with the certificate chain (PEM); needs TLS_KEY.',
  }),
  tlsKey: variable({
    name: 'TLS_KEY',
    preset: '',
    takes: optional(anyText('a path')),
    about: 'File with the private key (PEM); needs TLS_CERT.',
  }),
  trustedProxies: variable({
    name: 'TRUSTED_PROXIES',
    preset: '',
    takes: listOf('addresses or networks, such as 10.0.0.0/8, separated by commas', NETWORK),
    about:
      'Proxies whose X-Forwarded-* headers are believed. Unset behind a proxy: everybody behind it counts as one address.',
  }),
  frameAncestors: variable({
    name: 'FRAME_ANCESTORS',
    preset: '',
    takes: listOf('origins, such as https://portal.example, separated by commas', ORIGIN),
    about: 'Sites that may frame the pages. Unset: any site may frame the three video pages, no other site the rest.',
  }),
};

const devices = {
  jt808Port: variable({
    name: 'JT808_PORT',
    preset: '7808',
    takes: PORT,
    about: 'Port that terminals sign in on (JT/T 808).',
  }),
  jt808AcknowledgedIds: variable({
    name: 'JT808_ACKNOWLEDGED_IDS',
    preset: '0506',
    takes: listOf('message ids of four hexadecimal digits, separated by commas', /^[\da-f]{4}$/i),
    about: "Terminals' own messages that are answered with success, since what is not ends the connection.",
  }),
  jt1078Port: variable({
    name: 'JT1078_PORT',
    preset: '7078',
    takes: integer(0, 65_532),
    about: 'First of four ports for video and sound (JT/T 1078): main, sub, playback, talk. 0 takes any free ones.',
  }),
  publicHost: variable({
    name: 'PUBLIC_HOST',
    preset: '',
    takes: optional(textOf('a host name or an address', HOST_NAME)),
    about: 'Host that terminals are told to send video to. Unset: the address that they signed in on.',
  }),
  publicJt1078Port: variable({
    name: 'PUBLIC_JT1078_PORT',
    preset: '',
    takes: optional(integer(1, 65_532)),
    about: 'First of the four video ports as terminals see them. Unset: JT1078_PORT.',
  }),
};

const storage = {
  dataDir: variable({
    name: 'DATA_DIR',
    preset: 'data',
    takes: textOf('a path', /./),
    about: 'Folder for the database, certificates and recordings.',
  }),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    preset: '',
    takes: optional(textOf('postgres://user:password@host:port/database', /^postgres(?:ql)?:\/\/\S+$/)),
    about: 'PostgreSQL to use instead of the embedded database.',
    secret: true,
  }),
};

const recordings = {
  recordingDir: variable({
    name: 'RECORDING_DIR',
    preset: '',
    takes: optional(textOf('a path', /./)),
    about: 'Folder for recordings. Unset: recordings under DATA_DIR.',
  }),
  recording: variable({
    name: 'RECORDING',
    preset: 'off',
    takes: oneOf('off', 'always', 'ignition'),
    about: 'When devices without a policy of their own are recorded, until an administrator sets it.',
  }),
  recordingRetentionDays: variable({
    name: 'RECORDING_RETENTION_DAYS',
    preset: '0',
    takes: integer(0, 36_500),
    about: 'Days that their recordings are kept; a member group may keep them shorter. 0: until room runs out.',
  }),
  positionRetentionDays: variable({
    name: 'POSITION_RETENTION_DAYS',
    preset: '365',
    takes: integer(0, 36_500),
    about: 'Days that positions are kept; a member group may keep them shorter. 0: as long as the member group says.',
  }),
  recordingMinFreeMb: variable({
    name: 'RECORDING_MIN_FREE_MB',
    preset: '2048',
    takes: integer(16, 1_000_000_000),
    about: 'Megabytes that stay free on the disk of the recordings: the oldest make room, evidence never.',
  }),
  recordingMaxMb: variable({
    name: 'RECORDING_MAX_MB',
    preset: '0',
    takes: integer(0, 1_000_000_000_000),
    about: 'Megabytes that all recordings together may take. 0: not limited.',
  }),
  evidenceMaxMb: variable({
    name: 'EVIDENCE_MAX_MB',
    preset: '51200',
    takes: integer(0, 1_000_000_000_000),
    about: 'Megabytes that recordings held as evidence may take together. 0: not limited.',
  }),
  recordingSyncSeconds: variable({
    name: 'RECORDING_SYNC_SECONDS',
    preset: '5',
    takes: integer(1, 60),
    about: 'How often recordings are made safe from a power cut, which costs at most so much and a little more.',
  }),
};

const operation = {
  adminPassword: variable({
    name: 'ADMIN_PASSWORD',
    preset: '',
    takes: optional(textOf('at least 8 characters', /^.{8,256}$/su)),
    about:
      'Password of the user admin that a first start makes; common ones are refused. Unset: a random one, printed once.',
    secret: true,
  }),
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    preset: '',
    takes: optional(textOf('at least 16 letters, digits, - or _', /^[\w-]{16,256}$/)),
    about: 'Bearer token that opens /metrics. Unset: /metrics is closed.',
    secret: true,
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    preset: 'info',
    takes: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    about: 'Least weight of what is logged, as JSON lines on standard error.',
  }),
};

const presets = {
  webTitle: variable({
    name: 'WEB_TITLE',
    preset: '',
    takes: anyText('any text'),
    about: 'Title of the pages, until an administrator sets one. Unset: the name of the product.',
  }),
  liveLayout: variable({
    name: 'LIVE_LAYOUT',
    preset: '',
    takes: oneOf('', '3x3'),
    about: 'Live view of 7 or 8 channels in three columns instead of four, until an administrator sets it.',
  }),
  playbackLayout: variable({
    name: 'PLAYBACK_LAYOUT',
    preset: '',
    takes: oneOf('', '3x3'),
    about: 'The same for local playback.',
  }),
  maxLicense: variable({
    name: 'MAX_LICENSE',
    preset: '0',
    takes: integer(0, 1_000_000_000),
    about: 'Number of devices that the licence allows, until an administrator sets it. 0: not limited.',
  }),
  licenseExpiresMs: variable({
    name: 'LICENSE_EXPIRES',
    preset: '',
    takes: day('a day as yyyy-MM-dd'),
    about: 'Day on which the licence ends (UTC), until an administrator sets it. Unset: never.',
  }),
};

const maps = {
  mapStyleUrl: variable({
    name: 'MAP_STYLE_URL',
    preset: '',
    takes: optional(textOf('an address of a map style, beginning with https:// or http://', /^https?:\/\/\S+$/i)),
    about: "Style of the map's background (MapLibre style JSON). Unset: MAP_PMTILES, else the outline of the world.",
  }),
  mapPmtiles: variable({
    name: 'MAP_PMTILES',
    preset: '',
    takes: optional(textOf('a path', /./)),
    about: 'File with the street map of your region (PMTiles 3, vector), which the gateway serves to signed-in users.',
  }),
  mapAttribution: variable({
    name: 'MAP_ATTRIBUTION',
    preset: '',
    takes: anyText('any text'),
    about: 'Whom the map thanks for its background, beside what the style says itself.',
  }),
  mapOrigins: variable({
    name: 'MAP_ORIGINS',
    preset: '',
    takes: listOf('origins, such as https://tiles.example, separated by commas', ORIGIN),
    about: 'Further sites that the style loads tiles, icons and letters from. Its own needs no mention.',
  }),
};

export const variables = { ...network, ...devices, ...storage, ...recordings, ...operation, ...presets, ...maps };

type Variables = typeof variables;

export type Config = { readonly [Key in keyof Variables]: Variables[Key] extends Variable<infer T> ? T : never };
