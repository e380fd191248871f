// Which tests reach which limits, by the beginnings of their names. Of several that fit, the longest counts.

export const SECTIONS = {
  Backups: ['backup'],
  'Calls of tracks': ['tracks'],
  'Copies of backups': ['backup.copy-answer', 'backup.copy-parts', 'backup.copy-removals'],
  'Data sync': ['sync'],
  'Data usage': ['netflow'],
  Events: ['events', 'notify.removal'],
  'File transfer of terminals': ['ftp', 'uploads.requests'],
  'Files of alarms': ['attachments'],
  'Firmware tasks': [
    'http.firmware-task',
    'firmware.devices',
    'firmware.open-tasks',
    'firmware.sends',
    'firmware.tasks',
  ],
  Geofences: ['http.fence', 'http.fence-import', 'fences.stored', 'fences.vertices'],
  'Geofences of devices': ['fences'],
  'HTTP and sign-in': ['account', 'audit', 'http', 'imports', 'locales', 'signin'],
  'Importing parts of backups': ['backup.parts'],
  'Making backups': ['backup.manual'],
  'Media from terminals': ['media'],
  Notifications: ['notify'],
  Positions: ['positions'],
  'Recordings and exports': [
    'evidence',
    'exports',
    'playback.idle-sessions',
    'positions.removal',
    'recording',
    'recordings',
    'remote-playback.listed-recordings',
  ],
  Reports: ['reports'],
  'Streams and live updates': ['control', 'playback', 'remote-playback', 'stream', 'talk', 'updates', 'upgrades'],
  'Support bundles': ['support'],
  Terminals: ['terminals'],
  Tracks: ['tracks.clock-steps', 'tracks.messages', 'tracks.waiting.device'],
  'Uploads and firmware images': ['firmware', 'http.upload-part', 'http.upload-parts', 'uploads'],
  'What is fetched from devices': ['sync.group-bytes', 'sync.group-ms', 'sync.reader-silence-ms', 'sync.waiting-bytes'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type LimitSection = keyof typeof SECTIONS;

/** Limits that hold to a setting, and are reached where its setting is tested. */
export const SETTINGS_ALONE: readonly string[] = ['reports.bytes', 'uploads.bytes'];

/** Undefined for a limit that no test reaches. */
export function sectionOf(name: string): LimitSection | undefined {
  const beginnings = (Object.keys(SECTIONS) as LimitSection[]).flatMap((section) =>
    SECTIONS[section]
      .filter((beginning) => name === beginning || name.startsWith(`${beginning}.`))
      .map((beginning) => ({ section, length: beginning.length })),
  );
  return beginnings.sort((a, b) => b.length - a.length)[0]?.section;
}
