// How the limits of firmware tasks are reached.
import { expect, onTestFinished } from 'vitest';
import { SENDS_LIMIT } from '../../../../server/firmware/tasks/firmwareEngine.ts';
import { FIRMWARE_TARGETS_LIMIT } from '../../../../server/http/firmware/tasks/actRoute.ts';
import { FIRMWARE_TASK_BYTES_LIMIT } from '../../../../server/http/firmware/tasks/taskDeps.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { ReachedDevice } from '../../../../server/store/firmware/firmwareReach.ts';
import { FIRMWARE_TASKS_LIMIT, OPEN_FIRMWARE_TASKS_LIMIT } from '../../../../server/store/firmware/firmwareTasks.ts';
import { createStores } from '../../../../server/store/stores.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { aTaskContent } from '../../../support/firmware/aTask.ts';
import { FirmwareWorld } from '../../../support/firmware/firmwareWorld.ts';
import { insertTestImage } from '../../../support/firmware/testImages.ts';
import { createTestApp } from '../../http/testApp.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

const ANN = { id: 1, username: 'Ann', atMs: 1 };

async function openCalls(onLimit: OnLimit) {
  const test = await createTestApp({ FIRMWARE_APPROVAL: 'any' }, { onLimit });
  onTestFinished(() => test.close());
  const group = await test.stores.memberGroups.insert({ name: 'Depot' });
  await test.addUser('ann', ['fwupdate'], [group]);
  const image = await insertTestImage(test.db, group);
  const headers = { cookie: await test.signIn('ann'), 'content-type': 'application/json' };
  const post = (url: string, body: string) => test.request({ method: 'POST', url, headers, body });
  return { test, image, post };
}

async function openStore(onLimit: OnLimit) {
  const { db, close } = await openTestDatabase('sqlite');
  onTestFinished(() => close());
  const { memberGroups, firmwareTasks } = createStores(db, onLimit);
  const memberGroup = await memberGroups.insert({ name: 'Depot' });
  const image = await insertTestImage(db, memberGroup);
  const add = () => firmwareTasks.insert(memberGroup, aTaskContent({ image }), ANN);
  return { firmwareTasks, add };
}

function aDevice(at: number): ReachedDevice {
  return {
    deviceId: `D${at}`,
    incarnation: at,
    archiveNumber: at,
    deviceGroup: 1,
    timeZone: '',
    manufacturer: '',
    model: 'OTHER',
    hardwareVersion: '',
    firmwareVersion: '',
  };
}

const cases: readonly LimitCase[] = [
  {
    limit: FIRMWARE_TASK_BYTES_LIMIT,
    open: async (onLimit) => {
      const { image, post } = await openCalls(onLimit);
      const add = async (bytes: number) => {
        const text = JSON.stringify(aTaskContent({ image }));
        return (await post('/api/firmware/tasks', text + ' '.repeat(bytes - text.length))).statusCode;
      };
      return {
        upTo: async () => expect(await add(FIRMWARE_TASK_BYTES_LIMIT.max)).toBe(200),
        beyond: async () => expect(await add(FIRMWARE_TASK_BYTES_LIMIT.max + 1)).toBe(413),
      };
    },
  },
  {
    limit: FIRMWARE_TARGETS_LIMIT,
    open: async (onLimit) => {
      const { test, image, post } = await openCalls(onLimit);
      let count = 0;
      // Twenty thousand rows would take most of the test's time; what is looked at is their number.
      Object.assign(test.stores.firmwareReach, {
        devices: async () => Array.from({ length: count }, (_, at) => aDevice(at)),
      });
      const start = async () => {
        const task: FirmwareTask = (await post('/api/firmware/tasks', JSON.stringify(aTaskContent({ image })))).json()
          .data;
        const act = (name: string, version: number) =>
          post(`/api/firmware/tasks/${task.id}/act`, JSON.stringify({ act: name, reason: '', version }));
        await act('approve', 1);
        return (await act('start', 2)).json().code;
      };
      return {
        upTo: async () => {
          count = FIRMWARE_TARGETS_LIMIT.max;
          // None of them has the image's model, which is looked at behind the limit.
          expect(await start()).toBe('no-firmware-targets');
        },
        beyond: async () => {
          count = FIRMWARE_TARGETS_LIMIT.max + 1;
          expect(await start()).toBe('too-many-firmware-targets');
        },
      };
    },
  },
  {
    limit: FIRMWARE_TASKS_LIMIT,
    open: async (onLimit) => {
      const { add } = await openStore(onLimit);
      return {
        upTo: async () => {
          for (let at = 0; at < FIRMWARE_TASKS_LIMIT.max; at++) expect((await add()).ok).toBe(true);
        },
        beyond: async () => expect(await add()).toEqual({ ok: false, reason: 'too-many' }),
      };
    },
  },
  {
    limit: OPEN_FIRMWARE_TASKS_LIMIT,
    open: async (onLimit) => {
      const { firmwareTasks, add } = await openStore(onLimit);
      const start = async () => {
        const added = await add();
        if (!added.ok) throw new Error(added.reason);
        return firmwareTasks.start(added.value, [], 1);
      };
      return {
        upTo: async () => {
          for (let at = 0; at < OPEN_FIRMWARE_TASKS_LIMIT.max; at++) expect((await start()).ok).toBe(true);
        },
        beyond: async () => expect(await start()).toEqual({ ok: false, reason: 'too-many' }),
      };
    },
  },
  {
    limit: SENDS_LIMIT,
    open: async (onLimit) => {
      const world = new FirmwareWorld(SENDS_LIMIT.max + 1, { concurrency: SENDS_LIMIT.max + 1 });
      world.onLimit = onLimit;
      world.terminal(1).isOnline = false;
      await world.start();
      return {
        upTo: () => expect(world.open).toHaveLength(SENDS_LIMIT.max),
        beyond: async () => {
          await world.enter(1);
          await world.pass(250);
          expect(world.open).toHaveLength(SENDS_LIMIT.max);
          expect(world.row(1).state).toBe('waiting');
        },
      };
    },
  },
];

describeLimits('Firmware tasks', cases);
