import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FIRMWARE_INSTALLED_PATH } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_RESTART_PATH } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { anInstalledDevice } from '../../../support/firmware/firmwareRecords.ts';
import { enter } from '../eventdefine/fakeEventDefine.ts';
import { openFirmware, rowOf, shown } from './fakeFirmware.tsx';

describe('versions in the fleet', () => {
  test('are listed by model, with their share of it', async () => {
    watchWarnings();
    await openFirmware({
      query: 'tab=versions',
      versions: [
        { manufacturer: 'ACME', model: 'MDVR-8CH', firmwareVersion: 'V2.4', devices: 3 },
        { manufacturer: 'ACME', model: 'MDVR-8CH', firmwareVersion: '', devices: 1 },
      ],
    });
    await shown('V2.4');
    expect(rowOf('V2.4').textContent).toContain('75.0%');
    expect(rowOf('Not reported').textContent).toContain('25.0%');
    await screen.findByLabelText('Devices by model and version');
  });

  test("list a version's devices, each of which is restarted once its plate number was typed (S-2.4.7)", async () => {
    watchWarnings();
    const versions = [{ manufacturer: 'ACME', model: 'MDVR-8CH', firmwareVersion: '', devices: 2 }];
    const away = anInstalledDevice({ deviceid: 'BUS2', name: 'Bus 2', plate: '', isOnline: false });
    const installed = [anInstalledDevice(), away];
    const { gateway, user } = await openFirmware({ query: 'tab=versions', versions, installed });
    await shown('MDVR-8CH');
    await user.click(screen.getByLabelText('Show devices with Not reported'));
    await shown('Bus 1 (ABC-1234)');
    screen.getByText('Devices with ACME MDVR-8CH');
    expect(rowOf('Bus 1').textContent).toContain('Online');
    expect(rowOf('Bus 2').textContent).toContain('Offline');
    const [asked] = gateway.callsOf(FIRMWARE_INSTALLED_PATH);
    // The version that nothing was said of is left out.
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({
      manufacturer: 'ACME',
      model: 'MDVR-8CH',
      sort: 'name',
    });
    expect(asked?.query.has('firmwareVersion')).toBe(false);
    await user.click(within(rowOf('Bus 1')).getByLabelText(/^More actions for/));
    await user.click(await screen.findByText('Restart Bus 1'));
    const dialog = within(await screen.findByRole('alertdialog'));
    await enter(user, dialog.getByLabelText(/^Reason/), 'Hangs');
    await user.click(dialog.getByText('Restart'));
    expect(gateway.callsOf(FIRMWARE_RESTART_PATH)).toEqual([]);
    await enter(user, dialog.getByLabelText(/^Plate number/), 'ABC-1234');
    await user.click(dialog.getByText('Restart'));
    await screen.findByText('Command sent to the terminal.');
    expect(gateway.callsOf(FIRMWARE_RESTART_PATH).map(({ body }) => body)).toEqual([
      { deviceid: 'BUS1', act: 'restart', plate: 'ABC-1234', reason: 'Hangs' },
    ]);
    await user.click(screen.getByText('All versions'));
    await screen.findByLabelText('Devices by model and version');
  });

  test('of a device that was moved meanwhile list no device, with the way back', async () => {
    watchWarnings();
    await openFirmware({ query: 'tab=versions&version=V9' });
    await screen.findByText('No device has this version any more.');
    screen.getByText('All versions');
  });
});
