import { expect } from 'vitest';
import { BUNDLES_LIMIT, createSupportBundle } from '../../../../server/support/bundle.ts';
import { TERMINAL_KINDS_LIMIT } from '../../../../server/support/bundleParts.ts';
import { aTerminalKind, bundleSources } from '../../../support/bundle/bundleSources.ts';
import { readArchive } from '../../../support/media/readArchive.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

const bundlesCase: LimitCase = {
  limit: BUNDLES_LIMIT,
  open: (onLimit) => {
    const bundle = createSupportBundle(bundleSources({ onLimit }));
    let first: Awaited<ReturnType<typeof bundle.open>>;
    return {
      upTo: async () => {
        first = await bundle.open();
        expect(first).toBeDefined();
      },
      beyond: async () => {
        expect(await bundle.open()).toBeUndefined();
        const closed = new Promise((resolve) => first?.once('close', resolve));
        first?.destroy();
        await closed;
        const next = await bundle.open();
        expect(next).toBeDefined();
        next?.destroy();
      },
    };
  },
};

const kindsCase: LimitCase = {
  limit: TERMINAL_KINDS_LIMIT,
  open: (onLimit) => {
    const listed = async (there: number) => {
      const kinds = Array.from({ length: there }, (_, at) => aTerminalKind({ channels: at }));
      const sources = bundleSources({ onLimit });
      const terminalKinds = { count: async (max: number) => kinds.slice(0, max) };
      const bundle = createSupportBundle({ ...sources, stores: { ...sources.stores, terminalKinds } });
      const chunks: Buffer[] = [];
      for await (const chunk of (await bundle.open()) ?? []) chunks.push(chunk as Buffer);
      return JSON.parse(readArchive(Buffer.concat(chunks), true).get('terminals.json')?.toString() ?? '');
    };
    const { max } = TERMINAL_KINDS_LIMIT;
    return {
      upTo: async () => {
        const { kinds, hasMore } = await listed(max);
        expect([kinds.length, hasMore]).toEqual([max, false]);
      },
      beyond: async () => {
        const { kinds, hasMore } = await listed(max + 1);
        expect([kinds.length, hasMore]).toEqual([max, true]);
      },
    };
  },
};

describeLimits('Support bundles', [bundlesCase, kindsCase]);
