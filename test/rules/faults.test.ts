import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnguarded } from './faults/findUnguarded.ts';
import { repository } from './sourceFiles.ts';

describe('what can fail', () => {
  it('is made by the helpers, which listen for its errors from the line that makes it', () => {
    expect(findUnguarded(repository)).toEqual([]);
  });

  it('is found in a tree that makes one of each kind in another way', () => {
    const server = (what: string): string => `server/http/unguarded.ts: ${what}`;
    expect(findUnguarded(join(import.meta.dirname, 'fixtures/faults')).sort()).toEqual(
      [
        'spawn of child_process',
        'connect of net',
        'createServer of net',
        'createServer of http',
        'connect of tls',
        'all of https',
        'all of dgram',
        'createReadStream of fs',
        'createWriteStream of fs',
        'Worker of worker_threads',
        'WebSocket of ws',
        'WebSocketServer of ws',
        'setInterval of timers',
        'new Worker',
        'new WebSocket',
        'new WebSocketServer',
        'new Pool',
        'new Client',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'queueMicrotask',
        'process.nextTick',
        'process.on',
        "on('upgrade')",
        'handleUpgrade',
        'new PassThrough',
        'Readable.from',
        'all of stream',
        'new Transform',
        'new Writable',
        'Duplex.from',
        'extends Transform',
        'createGzip',
        'new Inflate',
        'new ZipFile',
        'createReadStream()',
        'createWriteStream()',
        'on(…, async …)',
        'once(…, async …)',
        'a promise that nobody waits for',
      ]
        .map(server)
        .concat(
          'server/setup/unguarded.mjs: spawn of child_process',
          'simulator/unguarded.ts: connect of net',
          'workers/unguarded.ts: new WebSocket',
          'shared/unguarded.ts: new Worker',
          'pages/unguarded.ts: new SharedWorker',
        )
        .sort(),
    );
  });
});
