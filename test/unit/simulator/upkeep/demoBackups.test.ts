// The demo's backups and settings, against a gateway that answers as ours does.
import { beforeEach, describe, expect, it } from 'vitest';
import { DemoBackups } from '../../../../simulator/upkeep/demoBackups.ts';
import { setDemoSettings } from '../../../../simulator/upkeep/demoSettings.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

let timers: ManualTimers;
let calls: string[];
let bodies: object[];
let answers: Record<string, unknown>;

beforeEach(() => {
  timers = new ManualTimers();
  calls = [];
  bodies = [];
  answers = {
    '/api/backup/backups': { backups: [], running: null },
    '/api/backup/plan': {
      version: 1,
      enabled: false,
      every: 'weekly',
      encryption: 'none',
      hasKey: false,
      nextRunAtMs: 0,
    },
    '/api/version/settings': { version: 1, webTitle: null, maxLicense: null, licenseExpires: null, presets: {} },
  };
});

const administrator = {
  get: async <Answer>(path: string) => answers[path] as Answer,
  send: async <Answer>(method: string, path: string, body: object) => {
    calls.push(`${method} ${path}`);
    bodies.push(body);
    return {} as Answer;
  },
};

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    timers.advance(1_000);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("the demo's backups", () => {
  const start = () => {
    const backups = new DemoBackups({
      administrator,
      makeFolder: async () => void calls.push('folder'),
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
    });
    backups.start();
    return backups;
  };

  it('are one without its folder, and one by the plan', async () => {
    answers['/api/backup/backups'] = { backups: [], running: { id: 1 } };
    start();
    await pass(7);
    expect(calls).toEqual(['POST /api/backup/backups']);
    answers['/api/backup/backups'] = { backups: [{ id: 1 }], running: null };
    await pass(4);
    const rest = ['folder', 'PUT /api/backup/plan', 'POST /api/backup/backups'];
    expect(calls).toEqual(['POST /api/backup/backups', ...rest]);
    expect(bodies[1]).toMatchObject({ version: 1, enabled: true, every: 'daily', encryption: 'passphrase' });
    expect(bodies[1]).not.toHaveProperty('hasKey');
    expect(timers.pending).toBe(0);
  });

  it('are left as an earlier run has left them', async () => {
    answers['/api/backup/backups'] = { backups: [{ id: 1 }], running: null };
    start();
    await pass(10);
    expect(calls).toEqual(['folder']);
  });

  it('end with the demo', async () => {
    answers['/api/backup/backups'] = { backups: [], running: { id: 1 } };
    const backups = start();
    await pass(1);
    backups.stop();
    await pass(10);
    expect(calls).toEqual(['POST /api/backup/backups', 'folder']);
    expect(timers.pending).toBe(0);
  });
});

describe("the demo's settings", () => {
  it('have a license for a year', async () => {
    await setDemoSettings(administrator, Date.UTC(2026, 10, 27));
    expect(bodies).toEqual([{ version: 1, webTitle: null, maxLicense: 50, licenseExpires: '2027-11-27' }]);
  });

  it('stay when somebody has changed them', async () => {
    answers['/api/version/settings'] = { version: 2, presets: {} };
    await setDemoSettings(administrator, Date.UTC(2026, 10, 27));
    expect(calls).toEqual([]);
  });
});
