import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { createSupportBundle, type SupportBundleDeps } from '../../../../server/support/bundle.ts';
import { BUNDLE_FILES } from '../../../../shared/protocol/api/system/bundle.ts';
import { bundleSources } from '../../../support/bundle/bundleSources.ts';
import { readArchive } from '../../../support/media/readArchive.ts';

async function unzipped(deps: SupportBundleDeps): Promise<ReadonlyMap<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await createSupportBundle(deps).open()) ?? []) chunks.push(chunk as Buffer);
  return new Map([...readArchive(Buffer.concat(chunks), true)].map(([name, bytes]) => [name, bytes.toString()]));
}

describe('a support bundle', () => {
  it('has the files that it lists', async () => {
    const files = await unzipped(bundleSources());
    expect([...files.keys()]).toEqual(BUNDLE_FILES);
    const { files: listed } = await createSupportBundle(bundleSources()).contents();
    expect(listed.map(({ name }) => name)).toEqual(BUNDLE_FILES);
    expect(listed.find(({ name }) => name === 'log.jsonl')?.entries).toBe(2);
    expect(JSON.parse(files.get('contents.json') ?? '').files).toMatchObject(listed.slice(1));
    expect(files.get('log.jsonl')).toBe('{"level":30,"msg":"request","ms":3}\n');
    expect(files.get('metrics.txt')).toBe('fleetglass_a_total 1\n');
    expect(JSON.parse(files.get('tables.json') ?? '')).toMatchObject({
      steps: [{ version: 1 }],
      tables: [{ table: 'device', rows: 2 }],
    });
  });

  it('has every line of a long log, in order', async () => {
    const lines = Array.from({ length: 1_003 }, (_, ms) => JSON.stringify({ msg: 'request', ms }));
    const log = (await unzipped(bundleSources({ recentLog: { read: () => lines } }))).get('log.jsonl');
    expect(log).toBe(`${lines.join('\n')}\n`);
  });

  it('goes without what cannot be read, and says so', async () => {
    const faults: Error[] = [];
    const deps = bundleSources({
      health: { read: async () => Promise.reject(new Error('no database')) },
      onFault: (error) => void faults.push(error),
    });
    const files = await unzipped(deps);
    expect(files.has('health.json')).toBe(false);
    expect(files.has('log.jsonl')).toBe(true);
    const { files: listed } = JSON.parse(files.get('contents.json') ?? '');
    expect(listed).toContainEqual(expect.objectContaining({ name: 'health.json', entries: null }));
    expect(faults.map(({ message }) => message)).toEqual(['health.json could not be read']);
  });

  it('has other pseudonyms each time', async () => {
    const titleOf = async () => JSON.parse((await unzipped(bundleSources())).get('settings.json') ?? '').webTitle;
    expect(await titleOf()).not.toBe(await titleOf());
  });

  it('breaks off when a line cannot be scrubbed, and leaves its place', async () => {
    const lines = new Proxy(['x'], {
      get: (target, name) => {
        if (name === 'slice') throw new Error('broken');
        return Reflect.get(target, name);
      },
    });
    let read: readonly string[] = lines;
    const bundle = createSupportBundle(bundleSources({ recentLog: { read: () => read } }));
    const drained = async (): Promise<void> => {
      const body = await bundle.open();
      if (body === undefined) throw new Error('there was no place');
      body.resume();
      await finished(body);
    };
    await expect(drained()).rejects.toThrow('broken');
    read = [];
    await drained();
  });
});
