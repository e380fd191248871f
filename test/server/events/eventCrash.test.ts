// What is left of events, their evidence and their steps when the gateway is killed without a word: each that a terminal was told is kept.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../../support/freePorts.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../support/runs.ts';
import { RawTerminal } from '../device/rawTerminal.ts';
import { addMember, ToldEvidence } from './crashEvidence.ts';
import { crossing, keptBy, LIVES_A_DEVICE, numberIn, resultsOf, startGateway, withStores } from './crashGateway.ts';
import { refuseQuestions } from './evidence/evidenceScene.ts';

const EVENTS_A_LIFE = 4;

it('keeps every event, picture and file that a terminal was told is kept, and every step, when it is killed', {
  timeout: KILLS_TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetglass-events-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const member = await withStores(folder, async (stores) => {
    const { devices } = stores;
    const deviceGroup = await stores.deviceGroups.insert('Buses');
    let archiveNumber = 0;
    for (let life = 0; life < KILLS; life += LIVES_A_DEVICE) {
      const canonical = numberIn(life);
      const terminal = { canonical, raw: canonical.padStart(20, '0') };
      const bus = await devices.insert({ deviceId: `BUS${life}`, name: 'Bus', chn: 1, terminal, deviceGroup });
      archiveNumber = bus.archiveNumber;
    }
    return addMember(stores, archiveNumber, deviceGroup);
  });
  const evidence = new ToldEvidence();
  const told: number[] = [];
  const codes = new Map<string, string>();
  for (let life = 0; life < KILLS; life++) {
    const [port = 0, webPort = 0] = await freePorts(2);
    const gateway = await startGateway(folder, { jt808Port: port, webPort });
    const number = numberIn(life);
    const terminal = await RawTerminal.dial({ port, number });
    refuseQuestions(terminal);
    const code = codes.get(number);
    if (code === undefined) codes.set(number, await terminal.signIn());
    else expect(await terminal.authenticate(code)).toBe(true);
    const areas = Array.from({ length: EVENTS_A_LIFE }, (_, at) => life * EVENTS_A_LIFE + at + 1);
    for (const area of areas.slice(0, -1)) {
      await keptBy(terminal, crossing(area));
      told.push(area);
    }
    await evidence.picture(terminal, 2 * life);
    await evidence.attachment(terminal, number, life);
    await evidence.step(member, `http://127.0.0.1:${webPort}`, `life ${life}`);
    // The last one is under way when the end comes, at another moment each time.
    const last = areas.at(-1) ?? 0;
    const before = resultsOf(terminal).length;
    terminal.say(crossing(last));
    evidence.sayPicture(terminal, 2 * life + 1);
    await delay(((life + 2) * 7) % 40);
    // `once` would fail: what the gateway had not read is answered with a reset.
    const isClosed = new Promise((resolve) => terminal.socket.once('close', resolve));
    gateway.kill('SIGKILL');
    await Promise.all([once(gateway, 'exit'), isClosed]);
    if (resultsOf(terminal).length > before) told.push(last);
    evidence.noteIfConfirmed(terminal, 2 * life + 1);
  }
  const events = await withStores(folder, async (stores) => {
    await evidence.expectKept(folder, stores, member);
    return stores.eventLog.tracked(0);
  });
  const crossed = events.filter(({ type }) => type === 'area-crossed');
  const kept = crossed.map(({ area }) => area);
  expect(kept.filter((area) => told.includes(area)).sort((a, b) => a - b)).toEqual(told);
  expect(new Set(kept).size, 'none is there twice').toBe(kept.length);
  // Whatever lasted at a kill was ended by what the terminal said next: one of each device may be left.
  expect(crossed.filter(({ endAtMs }) => endAtMs === 0).length).toBeLessThanOrEqual(Math.ceil(KILLS / LIVES_A_DEVICE));
});
