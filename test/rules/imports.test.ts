import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBreaches } from './imports/findBreaches.ts';
import { readImports } from './imports/readImports.ts';
import { repository } from './sourceFiles.ts';

describe('import directions', () => {
  it('hold in the whole code', () => {
    expect(findBreaches(repository)).toEqual([]);
  });

  it('are proved by a tree that breaks each of them once', () => {
    const player = 'shared may not import';
    expect(findBreaches(join(import.meta.dirname, 'fixtures/imports')).sort()).toEqual(
      [
        'shared/protocol/clock.ts: value of shared/api/clock.ts: shared/protocol may not import shared',
        'shared/protocol/node.ts: node:fs/promises where there is no Node',
        'shared/api/page.ts: value of pages/live/main.tsx: shared may not import pages/live',
        'shared/api/door.ts: type of workers/stream/messages.ts: shared may not import workers',
        `shared/player/messagesValue.ts: value of workers/stream/messages.ts: ${player} workers`,
        `shared/player/innerPart.ts: type of workers/stream/inner.ts: ${player} workers`,
        `shared/player/innerUrl.ts: url of workers/stream/inner.ts: ${player} workers`,
        'cycle: shared/player/cycleA.ts > shared/player/cycleB.ts > shared/player/cycleA.ts',
        'cycle: shared/player/typeCycleA.ts > shared/player/typeCycleB.ts > shared/player/typeCycleA.ts',
        'workers/stream/stream.worker.ts: value of shared/api/clock.ts: workers may not import shared',
        'workers/audio/audio.worklet.ts: value of pages/live/main.tsx: workers may not import pages/live',
        'pages/live/worker.ts: url of workers/stream/stream.worker.ts: pages/live may not import workers',
        'pages/playback/main.tsx: value of pages/live/main.tsx: pages/playback may not import pages/live',
        'pages/playback/server.ts: type of server/main.ts: pages/playback may not import server',
        'pages/playback/bare.ts: fs where there is no Node',
        'pages/stray.ts: value of pages/live/worker.ts: lies in no zone',
        'server/http/value.ts: value of server/store/store.ts: the store is known by its types alone',
        'server/http/shared.ts: value of shared/api/clock.ts: server may not import shared',
        'server/http/page.ts: url of pages/live/main.tsx: server may not import pages/live',
        'server/http/tests.ts: value of test/fixture.ts: server may not import what lies in no zone',
        'server/store/upward.ts: type of server/http/server.ts: server/store may not import server/http',
        'server/media/hub.ts: type of server/stream/viewer.ts: server/media may not import server/stream',
        'server/http/simulated.ts: value of simulator/terminal.ts: server may not import simulator',
        'simulator/screen.ts: value of shared/api/clock.ts: simulator may not import shared',
        'simulator/command.ts: value of server/setup/run.mjs: simulator may not import server/setup',
        'server/rootWord.ts: type of server/store/store.ts: what all may import imports none of them',
        'pages/innerpage/dashboard/form.ts: value of pages/innerpage/login/form.ts: pages/innerpage/dashboard may not import pages/innerpage/login',
        'server/setup/run.mjs: fastify before anything is installed',
        'server/setup/outside.mjs: value of server/store/store.ts: server/setup may not import server',
      ].sort(),
    );
  });
});

describe('readImports', () => {
  it.each([
    [`import './a.ts'`, 'value'],
    [`import { a } from './a.ts'`, 'value'],
    [`import { type A } from './a.ts'`, 'value'],
    [`import type { A } from './a.ts'`, 'type'],
    [`export { a } from './a.ts'`, 'value'],
    [`export type { A } from './a.ts'`, 'type'],
    [`export * from './a.ts'`, 'value'],
    [`const a = await import('./a.ts')`, 'value'],
    ['const a = await import(`./a.ts`)', 'value'],
    [`type A = import('./a.ts').A`, 'type'],
    [`const a = new URL('./a.ts', import.meta.url)`, 'url'],
    [`const a = new Worker(new URL('./a.ts', import.meta.url), { type: 'module' })`, 'url'],
    [`import a from './a.ts?worker&url'`, 'url'],
  ])('reads %s', (source, how) => {
    expect(readImports('file.ts', source)).toEqual([{ specifier: './a.ts', how }]);
  });

  it('takes no other URL for an import', () => {
    expect(readImports('file.ts', `new URL('/api', location.href)`)).toEqual([]);
  });
});
