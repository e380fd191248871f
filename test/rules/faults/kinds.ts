// What emits `error`, or throws where nobody catches, and where each may be made. Edit it on purpose.

/** Where everything of the kind is guarded by helpers. */
const HELPERS = 'server/faults/';

/** From these modules nothing else may be imported by value outside the helpers, and no namespace or default at all. */
export const MAKERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['child_process', new Set(['spawn', 'fork', 'exec', 'execFile'])],
  ['net', new Set(['connect', 'createConnection', 'createServer', 'Socket', 'Server'])],
  ['tls', new Set(['connect', 'createServer', 'TLSSocket', 'Server'])],
  ['http', new Set(['createServer', 'request', 'get', 'Server', 'Agent'])],
  ['https', new Set(['createServer', 'request', 'get', 'Server', 'Agent'])],
  ['http2', new Set(['connect', 'createServer', 'createSecureServer'])],
  ['dgram', new Set(['createSocket'])],
  ['fs', new Set(['createReadStream', 'createWriteStream', 'watch', 'watchFile'])],
  ['worker_threads', new Set(['Worker'])],
  ['timers', new Set(['setTimeout', 'setInterval', 'setImmediate'])],
  ['ws', new Set(['WebSocket', 'WebSocketServer'])],
]);

/** From these modules nothing may be made but as what a helper is called with: `guardStream(new Transform(...))`. */
export const STREAM_MAKERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['stream', new Set(['Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough'])],
  ['zlib', zlibStreams(['Gzip', 'Gunzip', 'Deflate', 'Inflate', 'DeflateRaw', 'InflateRaw', 'Unzip'])],
  // An archive is no stream, but emits `error` as one does.
  ['yazl', new Set(['ZipFile'])],
]);

function zlibStreams(kinds: readonly string[]): ReadonlySet<string> {
  const all = [...kinds, 'BrotliCompress', 'BrotliDecompress', 'ZstdCompress', 'ZstdDecompress'];
  return new Set(all.flatMap((kind) => [kind, `create${kind}`]));
}

/** Nothing catches what an `async` listener rejects with. */
export const LISTENERS: ReadonlySet<string> = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'addEventListener',
]);

/** What a part of the database's package makes connections with: `pg.Pool`, `new Client`. */
export const DATABASE_MAKERS: ReadonlySet<string> = new Set(['Pool', 'Client', 'Connection']);

export const GLOBAL_TIMERS: ReadonlySet<string> = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
]);

/** In the browser an error that nobody listens to ends nothing, but goes unseen. */
export const BROWSER_MAKERS: ReadonlySet<string> = new Set(['Worker', 'SharedWorker', 'WebSocket', 'EventSource']);

/** Files that make some of it themselves, each with its reason. */
const MAY_MAKE: Readonly<Record<string, readonly string[]>> = {
  // Owns the end of the process: its signals, its last handler and the limit of its stop.
  'server/process/processGuard.ts': ['process.on', 'timer'],
  // The helper for programs, apart from the others: the gateway itself starts none.
  'simulator/clip/fedProcess.ts': ['spawn'],
  // Runs before anything is installed, so it is the helper for the commands of the set-up.
  'server/setup/child.mjs': ['spawn', 'process.on', 'timer'],
  // Both give what they make to a WorkerLink, which listens at once.
  'shared/player/engine/startWorkers.ts': ['Worker'],
  'shared/player/engine/sound/pageSound.ts': ['Worker'],
  // The lines that own these sockets listen for `close`, which follows every error.
  'shared/live/openLine.ts': ['WebSocket'],
  'workers/stream/stream.worker.ts': ['WebSocket'],
};

export function mayMake(file: string, what: string): boolean {
  return file.startsWith(HELPERS) || MAY_MAKE[file]?.includes(what) === true;
}
