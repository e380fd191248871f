// Who may import whom inside the gateway, folder by folder, types included. Edit it on purpose.

/** The folders that any part stands on: bounds on what comes from outside, and handlers of faults. */
const GROUND = ['limits', 'faults'] as const;

/** Each folder and the others that it may import. Files beside the folders are open to all. */
const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['faults', []],
  ['limits', []],
  // What changes, and who follows it in which order; messages name what the stores have.
  ['bus', ['store', 'faults']],
  ['process', ['faults']],
  ['config', []],
  ['sockets', GROUND],
  ['store', GROUND],
  ['auth', ['store', 'limits']],
  // What saving a versioned record means, for the use cases of each subject.
  ['records', ['bus', 'store']],
  // Groups and devices as administrators keep them.
  ['devices', ['records', 'bus', 'store', ...GROUND]],
  ['media', ['limits']],
  ['device', ['media', 'bus', 'store', ...GROUND]],
  ['fleet', ['device', 'sockets', 'store', ...GROUND]],
  ['events', ['records', 'devices', 'device', 'bus', 'store', ...GROUND]],
  ['notify', ['records', 'store', ...GROUND]],
  ['tracks', ['device', 'store', ...GROUND]],
  ['fences', ['records', 'events', 'device', 'bus', 'store', ...GROUND]],
  ['netflow', ['device', 'records', 'store', ...GROUND]],
  // The file transfer of terminals: whoever expects a file gives it a login.
  ['ftp', ['device', ...GROUND]],
  ['uploads', ['process', 'store', ...GROUND]],
  ['firmware', ['ftp', 'netflow', 'records', 'uploads', 'device', 'process', 'store', ...GROUND]],
  [
    'sync',
    ['ftp', 'netflow', 'records', 'recording', 'events', 'tracks', 'device', 'media', 'process', 'store', ...GROUND],
  ],
  ['reports', ['recording', 'records', 'notify', 'netflow', 'process', 'store', ...GROUND]],
  // It is given what other parts know of themselves.
  ['health', ['store', ...GROUND]],
  // What it reports about the installation comes from the parts that know it.
  ['support', ['config', 'store', ...GROUND]],
  ['recording', ['media', 'process', 'store', ...GROUND]],
  // It opens databases: the stores of one are of no use to it.
  ['backup', ['uploads', 'process', 'store', ...GROUND]],
  ['stream', ['recording', 'device', 'media', 'auth', 'sockets', 'store', ...GROUND]],
  [
    'http',
    [
      'bus',
      'stream',
      'fleet',
      'devices',
      'events',
      'notify',
      'tracks',
      'fences',
      'reports',
      'backup',
      'netflow',
      'records',
      'uploads',
      'firmware',
      'sync',
      'recording',
      'support',
      'device',
      'auth',
      'sockets',
      'store',
      'config',
      'process',
      ...GROUND,
    ],
  ],
  ['commands', ['backup', 'auth', 'config', 'store']],
]);

/** This folder puts the parts together: all is open to it. */
const KNOWS_ALL = 'app';
/** These folders know a store by its interface, so that a test can give them another one. */
const STORE_BY_TYPES_ALONE = [
  'bus',
  'http',
  'stream',
  'fleet',
  'devices',
  'events',
  'notify',
  'tracks',
  'fences',
  'reports',
  'netflow',
  'records',
  'ftp',
  'uploads',
  'firmware',
  'sync',
  'health',
  'support',
  'recording',
  'device',
];

/** What is wrong with one file of the gateway importing another, or nothing. */
export function complaintInServer(from: string, to: string, isType: boolean): string | undefined {
  const [at, other] = [folderOf(from), folderOf(to)];
  if (at === other || other === undefined) return undefined;
  if (at === undefined) return from === 'server/main.ts' ? undefined : 'what all may import imports none of them';
  if (at === KNOWS_ALL) return undefined;
  if (MAY_IMPORT.get(at)?.includes(other) !== true) return `server/${at} may not import server/${other}`;
  if (other === 'store' && !isType && STORE_BY_TYPES_ALONE.includes(at)) return 'the store is known by its types alone';
  return undefined;
}

/** The folder right below server/, undefined for a file beside them. */
function folderOf(file: string): string | undefined {
  const [, folder, rest] = file.split('/');
  return rest === undefined ? undefined : folder;
}
