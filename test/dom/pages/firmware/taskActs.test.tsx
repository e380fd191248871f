import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { FIRMWARE_RESTART_PATH, firmwareActPath } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { aFirmwareDevice, aFirmwareTask, stageProgress } from '../../../support/firmware/firmwareRecords.ts';
import { enter } from '../eventdefine/fakeEventDefine.ts';
import { openFirmware, rowOf, shown } from './fakeFirmware.tsx';

async function openAct(user: UserEvent, label: string) {
  await user.click(await screen.findByText(label));
  const dialog = within(await screen.findByRole('alertdialog'));
  await enter(user, dialog.getByLabelText(/^Reason/), 'As agreed');
  return { confirm: () => user.click(dialog.getByText(label)) };
}

/** The task comes on while a dialog is open, and the page loads it again. */
async function openLive(task: ReturnType<typeof aFirmwareTask>) {
  const opened = await openFirmware({ query: 'task=7', tasks: [task] });
  const change = async (next: ReturnType<typeof aFirmwareTask>, shownText: string) => {
    opened.tasks.set(7, next);
    const [socket] = opened.sockets;
    socket?.open();
    socket?.tell({ type: 'firmware', revision: 2 });
    await screen.findByText(shownText);
  };
  const acts = () => opened.gateway.callsOf(firmwareActPath(7)).map(({ body }) => body);
  return { ...opened, change, acts };
}

describe('what members do with a task', () => {
  test.each([
    ['draft', 'Approve', 'approve'],
    ['approved', 'Start', 'start'],
  ] as const)('is about the %s that they saw, though it is changed while they are asked', async (state, label, act) => {
    watchWarnings();
    const { user, change, acts } = await openLive(aFirmwareTask({ state }));
    const { confirm } = await openAct(user, label);
    await change(aFirmwareTask({ state, version: 4, devices: ['BUS9'] }), 'BUS9');
    await confirm();
    await screen.findByText('Another user has changed this. Reload to see the changes.');
    expect(acts()).toEqual([{ act, reason: 'As agreed', version: 3 }]);
  });

  test('stops a task however far it has come while they are asked', async () => {
    watchWarnings();
    const running = aFirmwareTask({ state: 'running', progress: [stageProgress({ waiting: 2 })] });
    const { user, change, acts } = await openLive(running);
    const { confirm } = await openAct(user, 'Stop at once');
    await change({ ...running, version: 4, progress: [stageProgress({ done: 2 })] }, 'Done: 2');
    await confirm();
    await screen.findByText('Task stopped.');
    expect(acts()).toEqual([{ act: 'stop', reason: 'As agreed', version: 4 }]);
  });
});

describe('what whoever approves a task sees of it', () => {
  const factOf = (name: string) => {
    const found = [...document.querySelectorAll('dt')].find(({ textContent }) => textContent === name);
    return found?.nextElementSibling?.textContent;
  };

  test('is which devices it reaches, in which steps, and what stops it', async () => {
    watchWarnings();
    const { sockets } = await openFirmware({
      query: 'task=7',
      tasks: [aFirmwareTask({ devices: ['BUS1', 'BUS2'], deviceGroups: [3], canaries: ['BUS1'], model: 'MDVR-8*' })],
    });
    await screen.findByText('Autumn update');
    const device = { id: 'BUS1', name: 'Hill line 7', plate: 'ABC-1', group: 3, groupName: 'Harbor' };
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'snapshot', devices: [device] });
    await waitFor(() => expect(factOf('Device groups')).toBe('Harbor'));
    expect(factOf('Devices')).toBe('Hill line 7 (ABC-1), BUS2');
    expect(factOf('Model')).toBe('MDVR-8*');
    expect(factOf('Canary devices')).toBe('Hill line 7 (ABC-1)');
    expect(factOf('Rollout')).toBe(
      'stages: 10, 50, 100% · pause: 60 min · devices at a time: 10 · required success: 95% · stop at failures: 2 or 10%',
    );
  });

  test('is that it reaches all devices, or how many more than can be named', async () => {
    watchWarnings();
    const devices = Array.from({ length: 23 }, (_, at) => `BUS${at}`);
    const { sockets, tasks } = await openFirmware({ query: 'task=7' });
    await screen.findByText('Autumn update');
    expect(factOf('Devices')).toBe('All devices');
    expect(factOf('Canary devices')).toBe('None');
    tasks.set(7, aFirmwareTask({ devices }));
    sockets[0]?.open();
    sockets[0]?.changed('firmwaretask');
    await waitFor(() => expect(factOf('Devices')).toMatch(/, BUS19 and 3 more$/));
  });
});

describe('a task that is approved', () => {
  test('is edited, which makes it a draft again, and can be deleted', async () => {
    watchWarnings();
    const { tasks, user } = await openFirmware({ query: 'task=7', tasks: [aFirmwareTask({ state: 'approved' })] });
    await screen.findByText('Delete');
    await user.click(screen.getByText('Edit'));
    await screen.findByText('The task is approved. If you save a change, it is a draft again.');
    await enter(user, screen.getByLabelText(/^Name/), 'Later');
    await user.click(screen.getByText('Save'));
    expect(await noticeOf('Task saved.')).toBe('success');
    expect(tasks.get(7)).toMatchObject({ name: 'Later', state: 'draft' });
    await screen.findByText('Approve');
  });
});

test('a stopped task, whose devices were canceled, goes on with them once they are retried', async () => {
  watchWarnings();
  const { user, acts } = await openLive(
    aFirmwareTask({ state: 'stopped', progress: [stageProgress({ done: 2, canceled: 3 })] }),
  );
  await user.click(await screen.findByText('Retry'));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Retry Autumn update?' }));
  dialog.getByText(/^Devices that failed, rejected the update or were canceled are queued again/);
  await user.click(dialog.getByText('Retry'));
  await dialog.findByText('Enter a reason.');
  expect(acts()).toEqual([]);
  await enter(user, dialog.getByLabelText(/^Reason/), 'The depot has power again');
  await user.click(dialog.getByText('Retry'));
  expect(await noticeOf('Devices queued again.')).toBe('success');
  expect(acts()).toEqual([{ act: 'retry', reason: 'The depot has power again', version: 3 }]);
  await screen.findByText('Running');
});

test('a device of a task is restarted once its plate number is typed', async () => {
  watchWarnings();
  const running = aFirmwareTask({ state: 'running' });
  const { gateway, user } = await openFirmware({ query: 'task=7', tasks: [running], devices: [aFirmwareDevice()] });
  await shown('Bus 1');
  await user.click(within(rowOf('Bus 1')).getByLabelText(/^More actions for/));
  await user.click(await screen.findByText('Restart Bus 1'));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Restart Bus 1?' }));
  await enter(user, dialog.getByLabelText(/^Plate number/), 'ABC-1234');
  await user.click(dialog.getByText('Restart'));
  await dialog.findByText('Enter a reason.');
  expect(gateway.callsOf(FIRMWARE_RESTART_PATH)).toEqual([]);
  await enter(user, dialog.getByLabelText(/^Reason/), 'It hangs');
  await user.click(dialog.getByText('Restart'));
  expect(await noticeOf('Command sent to the terminal.')).toBe('success');
  expect(gateway.callsOf(FIRMWARE_RESTART_PATH).map(({ body }) => body)).toEqual([
    { deviceid: 'BUS1', act: 'restart', plate: 'ABC-1234', reason: 'It hangs' },
  ]);
});
