import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import {
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_REACH_PATH,
  FIRMWARE_RESTART_PATH,
  FIRMWARE_TASKS_PATH,
  firmwareActPath,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import {
  aFirmwareDevice,
  aFirmwareImage,
  aFirmwareTask,
  stageProgress,
} from '../../../support/firmware/firmwareRecords.ts';
import { enter } from '../eventdefine/fakeEventDefine.ts';
import { openFirmware, rowOf, rows, shown } from './fakeFirmware.tsx';

const RUNNING = aFirmwareTask({
  state: 'running',
  stage: 1,
  canaries: ['BUS1'],
  progress: [stageProgress({ done: 1 }), stageProgress({ done: 2, sending: 1, waiting: 3, failed: 1 })],
  approvedBy: 'chief',
  approvedAtMs: aFirmwareTask().createdAtMs,
});

describe('the list of firmware tasks', () => {
  test('says of each how far every stage has come, in words too, and is narrowed by state (S-2.4.7, S-9.11)', async () => {
    watchWarnings();
    const { user } = await openFirmware({ tasks: [RUNNING, aFirmwareTask({ id: 8, name: 'Later' })] });
    await shown('Autumn update');
    const row = rowOf('Autumn update');
    expect(row.textContent).toContain('Running');
    expect(row.textContent).toContain('Canaries 1/1');
    expect(row.textContent).toContain('10% 2/7 ✕1');
    // The user's zone, and the one form of dates.
    expect(row.textContent).toContain('2026-11-23 08:00:00');
    within(row).getByRole('img', { name: 'Up to 10%: Done: 2, In progress: 1, Waiting: 3, Failed: 1' });
    within(row).getByRole('img', { name: 'Up to 50%: Not started' });
    await user.selectOptions(screen.getByLabelText('Status'), 'draft');
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(rowOf('Later').textContent).toContain('Draft');
  });

  test('says what to do first when there is none', async () => {
    watchWarnings();
    await openFirmware({ tasks: [] });
    await screen.findByText('No tasks yet. Add an image on the tab Images, then a task that installs it.');
  });

  test('is for those with the permission alone (S-6.2)', async () => {
    await openFirmware({ permission: ['system'] });
    await screen.findByText(/You don't have permission for this page/);
  });

  test.each([
    ['zh-TW', '新增工作'],
    ['jp', 'タスクを追加'],
  ] as const)('is in the language of the user: %s (S-1.4)', async (locale, add) => {
    watchWarnings();
    await openFirmware({ locale });
    await shown('Autumn update');
    screen.getByText(add);
  });

  test('deletes a task that is over, and no other', async () => {
    watchWarnings();
    const { tasks, user } = await openFirmware({ tasks: [RUNNING, aFirmwareTask({ id: 8, name: 'Later' })] });
    await shown('Later');
    const choose = async (name: string, text: string) => {
      await user.click(within(rowOf(name)).getByLabelText(/^More actions for/));
      return screen.findByText(text);
    };
    const refused = await choose('Autumn update', 'Delete Autumn update');
    expect(refused.closest('li')?.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Escape}');
    await user.click(await choose('Later', 'Delete Later'));
    await user.click(await screen.findByText('Delete'));
    await screen.findByText('Task deleted.');
    expect([...tasks.keys()]).toEqual([7]);
  });
});

describe('the form of a firmware task', () => {
  const open = async (user: UserEvent) => {
    await user.click(await screen.findByText('New task'));
    await screen.findByLabelText(/^Image/);
  };

  test('begins with careful defaults, shows its reach, and adds the task', async () => {
    watchWarnings();
    const { gateway, tasks, user } = await openFirmware({ tasks: [] });
    await open(user);
    screen.getByText('Select an image to see how many devices the task reaches.');
    await enter(user, screen.getByLabelText(/^Name/), 'Winter');
    await user.click(screen.getByLabelText(/^Image/));
    await user.click(await screen.findByText('MDVR autumn · V2.4', { selector: 'li' }));
    await screen.findByText(/Devices to update: 9 of 12/);
    screen.getByText('Left out: 3 (The version is already installed)');
    await enter(user, screen.getByLabelText(/^Model/), 'MDVR-8*');
    await waitFor(() => expect(gateway.callsOf(FIRMWARE_REACH_PATH).at(-1)?.body).toMatchObject({ model: 'MDVR-8*' }));
    await user.click(screen.getByText('Save'));
    await screen.findByText('Task saved.');
    expect(gateway.callsOf(FIRMWARE_TASKS_PATH).find(({ method }) => method === 'POST')?.body).toEqual({
      name: 'Winter',
      image: 1,
      devices: [],
      deviceGroups: [],
      model: 'MDVR-8*',
      installedVersion: '',
      window: [],
      fromDay: '',
      toDay: '',
      parkedMinutes: 5,
      ignition: 'any',
      unwatched: true,
      minimumSignal: 0,
      needsPlan: true,
      concurrency: 10,
      canaries: [],
      stages: [10, 50, 100],
      requiredPercent: 95,
      abortDevices: 2,
      abortPercent: 10,
      pauseMinutes: 60,
    });
    // It is opened, so that it can be approved.
    await screen.findByText('All tasks');
    expect(tasks.size).toBe(1);
  });

  test('says what is wrong, and which image is missing', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ tasks: [], images: [] });
    await open(user);
    await screen.findByText('There is no image yet. Add one on the tab Images first.');
    await enter(user, screen.getByLabelText(/^Stages/), '50, 10');
    await enter(user, screen.getByLabelText(/^Devices at a time/), '0');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Enter a name.');
    screen.getByText('Select an image.');
    screen.getByText('Enter rising percentages that end with 100, such as 10, 50, 100.');
    screen.getByText('Enter a whole number from 1 to 100.');
    expect(gateway.callsOf(FIRMWARE_TASKS_PATH).some(({ method }) => method === 'POST')).toBe(false);
  });

  test('saves no task whose last day is only half typed, and says so', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'task=7' });
    await user.click(await screen.findByText('Edit'));
    const last = within(await screen.findByRole('group', { name: /^Last day/ }));
    await user.click(last.getByRole('spinbutton', { name: 'Year' }));
    await user.keyboard('202612');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Enter a date, such as 2027-01-31.');
    expect(gateway.callsOf(`${FIRMWARE_TASKS_PATH}/7`).some(({ method }) => method === 'PUT')).toBe(false);
    await user.click(last.getByRole('spinbutton', { name: 'Day' }));
    await user.keyboard('31');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Task saved.');
    expect(gateway.callsOf(`${FIRMWARE_TASKS_PATH}/7`).find(({ method }) => method === 'PUT')?.body).toMatchObject({
      fromDay: '',
      toDay: '2026-12-31',
    });
  });

  test('lets the user choose when another member has saved it first', async () => {
    watchWarnings();
    const { tasks, user } = await openFirmware({ query: 'task=7' });
    await user.click(await screen.findByText('Edit'));
    await enter(user, await screen.findByLabelText(/^Name/), 'Mine');
    tasks.set(7, aFirmwareTask({ version: 4, name: 'Theirs' }));
    await user.click(screen.getByText('Save'));
    await screen.findByText('Another user changed this');
    await user.click(screen.getByText('Continue'));
    await user.click(screen.getByText('Save'));
    await waitFor(() => expect(tasks.get(7)?.name).toBe('Mine'));
  });
});

describe('one firmware task', () => {
  test('says who approved it and when, and how each stage stands', async () => {
    watchWarnings();
    await openFirmware({ query: 'task=7', tasks: [RUNNING] });
    await screen.findByText('2026-11-23 08:00:00 by chief');
    const stages = screen.getByLabelText('Stages', { selector: 'section' });
    expect(stages.textContent).toContain('Canary devicesDone: 1');
    expect(stages.textContent).toContain('Up to 10% · nowDone: 2In progress: 1Waiting: 3Failed: 1');
  });

  test('is approved with a reason, and not without one (S-1.5)', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'task=7' });
    await user.click(await screen.findByText('Approve'));
    await screen.findByText('Approve Autumn update?');
    const dialog = within(screen.getByRole('alertdialog'));
    await user.click(dialog.getByText('Approve'));
    await dialog.findByText('Enter a reason.');
    await enter(user, dialog.getByLabelText(/^Reason/), 'Tested in the yard');
    await user.click(dialog.getByText('Approve'));
    expect(await noticeOf('Task approved.')).toBe('success');
    expect(gateway.callsOf(firmwareActPath(7)).map(({ body }) => body)).toEqual([
      { act: 'approve', reason: 'Tested in the yard', version: 3 },
    ]);
    await screen.findByText('Start');
  });

  test('whoever made it is told that another member approves it', async () => {
    watchWarnings();
    await openFirmware({ query: 'task=7', tasks: [aFirmwareTask({ mayApprove: false })] });
    await screen.findByText(/Another member with permission for this page approves the task/);
    expect(screen.queryByText('Approve')).toBeNull();
  });

  test('is stopped at once; what the gateway refuses stays in the dialog', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'task=7', tasks: [RUNNING] });
    await screen.findByText('Retry');
    await user.click(screen.getByText('Stop at once'));
    gateway.on(`POST ${firmwareActPath(7)}`, () =>
      json({ error: true, message: 'The task is over.' }, { status: 409 }),
    );
    const dialog = within(await screen.findByRole('alertdialog'));
    await enter(user, dialog.getByLabelText(/^Reason/), 'Wrong image');
    await user.click(dialog.getByText('Stop at once'));
    await dialog.findByText('The task is over.');
  });

  test('lists its devices with what they wait for, and filters them by state', async () => {
    watchWarnings();
    const failed = aFirmwareDevice({
      id: 32,
      deviceid: 'BUS2',
      name: 'Bus 2',
      state: 'failed',
      wait: '',
      fault: 'not-back',
    });
    const { user } = await openFirmware({ query: 'task=7', tasks: [RUNNING], devices: [aFirmwareDevice(), failed] });
    await shown('Bus 1 (ABC-1234)');
    const row = rowOf('Bus 1');
    expect(row.textContent).toContain('Until the vehicle has been parked long enough');
    expect(row.textContent).toContain('2.0 MB / 8.0 MB');
    within(row).getByRole('progressbar', { name: 'Sent to Bus 1' });
    screen.getByText('Updates in packages start over after a lost connection.');
    await user.selectOptions(screen.getByLabelText('Status'), 'failed');
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(rowOf('Bus 2').textContent).toContain("The terminal didn't come back within an hour");
  });

  test('says nothing of packages where terminals download', async () => {
    watchWarnings();
    await openFirmware({ query: 'task=7', tasks: [RUNNING], devices: [aFirmwareDevice({ method: 'http' })] });
    await shown('Bus 1');
    expect(screen.queryByText('Updates in packages start over after a lost connection.')).toBeNull();
  });

  test('asks again when tasks have come on', async () => {
    watchWarnings();
    const { gateway, sockets } = await openFirmware({ query: 'task=7', tasks: [RUNNING] });
    await shown('Bus 1');
    const before = gateway.callsOf(FIRMWARE_DEVICES_PATH).length;
    const [socket] = sockets;
    socket?.open();
    await waitFor(() => expect(socket?.sent.some((text) => String(text).includes('firmware'))).toBe(true));
    socket?.tell({ type: 'firmware', revision: 2 });
    await waitFor(() => expect(gateway.callsOf(FIRMWARE_DEVICES_PATH).length).toBeGreaterThan(before));
  });

  test('shows the log of one device', async () => {
    watchWarnings();
    const { user } = await openFirmware({ query: 'task=7', tasks: [RUNNING] });
    await shown('Bus 1');
    await user.click(screen.getByLabelText('Log of Bus 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Log of Bus 1 (ABC-1234)' });
    await within(dialog).findByText('2026-11-23 10:00:00');
    expect(dialog.textContent).toContain('Until the next attempt · The connection was lost');
    expect(dialog.textContent).toContain('Attempt 1 · Sent: 1.5 MB · 203.0.113.7');
  });

  test.each([
    ['a plate number', aFirmwareDevice(), 'Plate number', 'ABC-1234'],
    ['no plate number', aFirmwareDevice({ plate: '' }), 'Device ID', 'BUS1'],
  ] as const)(
    'resets a terminal once the right text is typed: a vehicle with %s',
    async (_what, device, label, text) => {
      watchWarnings();
      const { gateway, user } = await openFirmware({ query: 'task=7', tasks: [RUNNING], devices: [device] });
      await shown('Bus 1');
      await user.click(within(rowOf('Bus 1')).getByLabelText(/^More actions for/));
      await user.click(await screen.findByText('Reset Bus 1 to factory settings'));
      const dialog = within(await screen.findByRole('alertdialog'));
      dialog.getByText(/loses its settings, the server's address among them/);
      await enter(user, dialog.getByLabelText(new RegExp(`^${label}`)), 'XYZ');
      await enter(user, dialog.getByLabelText(/^Reason/), 'Moved to another fleet');
      await user.click(dialog.getByText('Reset to factory settings'));
      expect(gateway.callsOf(FIRMWARE_RESTART_PATH)).toEqual([]);
      await enter(user, dialog.getByLabelText(new RegExp(`^${label}`)), text);
      await user.click(dialog.getByText('Reset to factory settings'));
      await screen.findByText('Command sent to the terminal.');
      expect(gateway.callsOf(FIRMWARE_RESTART_PATH).map(({ body }) => body)).toEqual([
        { deviceid: 'BUS1', act: 'factory-reset', plate: text, reason: 'Moved to another fleet' },
      ]);
    },
  );

  test('says that it is not there', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'task=7', images: [aFirmwareImage()] });
    await screen.findByText('Draft');
    gateway.on(`GET ${FIRMWARE_TASKS_PATH}/7`, () =>
      json({ error: true, message: 'Task not found.' }, { status: 404 }),
    );
    await user.click(screen.getByText('All tasks'));
    await shown('Autumn update');
    await user.click(screen.getByLabelText('Open Autumn update'));
    await screen.findByText(/Task not found\./);
    screen.getByText('All tasks');
  });
});
