import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VersionPage } from '../../../../pages/innerpage/version/VersionPage.tsx';
import {
  type ChangedServerSettings,
  RECORDING_PRESET_PATH,
  SERVER_SETTINGS_PATH,
  SETTINGS_ELSEWHERE_PATH,
  type ServerSettings,
  type SettingsElsewhere,
} from '../../../../shared/protocol/api/system/settings.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const PRESETS = { webTitle: '', liveLayout: '', playbackLayout: '3x3', maxLicense: 0, licenseExpires: '' } as const;
const PRESET_POLICY = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 } as const;
const UNSET = { webTitle: null, liveLayout: null, playbackLayout: null, maxLicense: null, licenseExpires: null };

async function open(permission = ['system', 'gmsversion']) {
  const gateway = planGateway({ user: { permission } });
  let settings: ServerSettings = { ...UNSET, version: 1, presets: PRESETS };
  gateway.on(`GET ${SERVER_SETTINGS_PATH}`, () => json({ error: false, data: settings }));
  gateway.on(`PUT ${SERVER_SETTINGS_PATH}`, ({ body }) => {
    const changed = body as ChangedServerSettings;
    if (changed.version !== settings.version) {
      return json({ error: true, code: 'conflict', message: 'changed', data: { current: settings } }, { status: 409 });
    }
    settings = { ...settings, ...changed, version: settings.version + 1 };
    return json({ error: false, data: settings });
  });
  let recording: SettingsElsewhere['recording'] = {
    own: { ...PRESET_POLICY, mode: 'ignition' },
    version: 3,
    preset: PRESET_POLICY,
  };
  gateway.on(`GET ${SETTINGS_ELSEWHERE_PATH}`, () =>
    json({ error: false, data: { recording, secondFactorForAll: true } }),
  );
  gateway.on(`DELETE ${RECORDING_PRESET_PATH}`, () => {
    recording = { own: null, version: 0, preset: PRESET_POLICY };
    return json({ error: false, data: { recording, secondFactorForAll: true } });
  });
  const sockets = fakeSockets();
  setPageQuery('?tab=settings', 'replace');
  onTestFinished(() => setPageQuery('', 'replace'));
  await renderPage(<VersionPage />);
  await settle();
  const elsewhere = (change: Partial<ServerSettings>) => {
    settings = { ...settings, ...change, version: settings.version + 1 };
  };
  return { gateway, stored: () => settings, elsewhere, sockets, user: userEvent.setup() };
}

const titleInput = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' });

describe('settings of the installation (S-2.4.16)', () => {
  test('show their presets, and send what is set alone (S-1.5)', async () => {
    const { stored, user } = await open();
    await titleInput();
    screen.getByText('Preset in use: Fleetglass');
    screen.getByText('Preset in use: Three columns');
    screen.getByText('Preset in use: No limit');
    await user.type(screen.getByLabelText('Licensed devices'), '40');
    await user.click(screen.getByText('Save'));
    expect(await noticeOf('Settings saved.')).toBe('success');
    expect(stored()).toEqual({ ...UNSET, maxLicense: 40, version: 2, presets: PRESETS });
    screen.getByText('Set here. Preset: No limit');
    await user.click(screen.getByLabelText('Reset Licensed devices to preset'));
    await user.click(screen.getByText('Save'));
    await waitFor(() => expect(stored()).toMatchObject({ maxLicense: null, version: 3 }));
  });

  test('say what is wrong with them before they are sent', async () => {
    const { stored, user } = await open();
    await titleInput();
    await user.type(screen.getByLabelText('License expires (UTC)'), '2027-02-30');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Enter a date, such as 2027-01-31, or nothing for never.');
    expect(stored().version).toBe(1);
  });

  test('follow another administrator, unless something is typed', async () => {
    const { elsewhere, sockets, user } = await open();
    const title = await titleInput();
    elsewhere({ webTitle: 'Depot' });
    sockets[0]?.open();
    sockets[0]?.changed('setting');
    await waitFor(() => expect(title.value).toBe('Depot'));
    await user.clear(title);
    await user.type(title, 'Mine');
    elsewhere({ webTitle: 'Theirs' });
    sockets[0]?.changed('setting');
    await settle();
    expect(title.value).toBe('Mine');
    watchWarnings();
    await user.click(screen.getByText('Save'));
    await screen.findByText('Yours: Mine');
  });

  test('need both permissions', async () => {
    await open(['system']);
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
  });

  test('stand beside those of other pages, whose recording goes back to its preset for whoever may set it', async () => {
    const { user } = await open(['system', 'gmsversion', 'devicegroup']);
    await screen.findByText('While the ignition is on (Main stream)');
    screen.getByText('Set here. Preset: Always (Main stream)');
    expect(screen.getByRole('link', { name: 'Open Device Group' }).getAttribute('href')).toContain('devicegroup');
    expect(screen.queryByRole('link', { name: 'Open Account' })).toBeNull();
    await user.click(screen.getByLabelText('Reset Default recording to preset'));
    await noticeOf('Settings saved.');
    await screen.findByText('Preset in use: Always (Main stream)');
    expect(screen.queryByLabelText('Reset Default recording to preset')).toBeNull();
  });

  test.each([
    ['conflict', 'Another user has changed this. Reload to see the changes.', 'warning'],
    ['beyond-own', "This needs permissions or groups that you don't have.", 'error'],
  ] as const)('say why the recording did not go back to its preset: %s (S-1.5)', async (code, text, kind) => {
    watchWarnings();
    const { gateway, user } = await open(['system', 'gmsversion', 'devicegroup']);
    gateway.on(`DELETE ${RECORDING_PRESET_PATH}`, () => json({ error: true, code, message: code }, { status: 409 }));
    await user.click(await screen.findByLabelText('Reset Default recording to preset'));
    expect(await noticeOf(text)).toBe(kind);
  });

  test('of other pages can only be read by others', async () => {
    await open();
    await screen.findByText('While the ignition is on (Main stream)');
    expect(screen.queryByLabelText('Reset Default recording to preset')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Open Device Group' })).toBeNull();
  });
});
