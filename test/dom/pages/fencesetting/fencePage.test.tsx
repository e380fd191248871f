import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import {
  FENCE_APPLY_PATH,
  FENCE_CHECK_PATH,
  FENCE_DEVICE_PATH,
  FENCE_PREVIEW_PATH,
  FENCES_PATH,
} from '../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { layOut } from '../../../support/browser/layOut.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { enter } from '../eventdefine/fakeEventDefine.ts';
import { aFence, openFences, rowOf, rows, shown } from './fakeFences.tsx';

/** There is no WebGL here: all is done by the list and the form, as by keyboard alone. */
const edit = async (user: UserEvent, name: string) => {
  await shown(name);
  await user.click(screen.getByLabelText(`Edit ${name}`));
  await screen.findByLabelText(/^Name/);
};
const save = (user: UserEvent) => user.click(screen.getByText('Save'));

describe('the list of geofences', () => {
  test('says of each what the map shows, and is narrowed by kind (S-2.4.15, S-9.11)', async () => {
    watchWarnings();
    const { user } = await openFences();
    await shown('Depot');
    expect(rowOf('Depot').textContent).toContain('Circle');
    expect(rowOf('Depot').textContent).toContain('Enter, Over 40 km/h');
    expect(rowOf('Depot').textContent).toContain('All devices');
    await user.selectOptions(screen.getByLabelText('Kind'), 'corridor');
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(rowOf('Lake line').textContent).toContain('Corridor');
  });

  test('turns one off, which a notice of success says, and deletes one (S-1.5)', async () => {
    watchWarnings();
    const { fences, user } = await openFences();
    const choose = async (text: string) => {
      await shown('Depot');
      await user.click(within(rowOf('Depot')).getByLabelText(/^More actions for/));
      await user.click(await screen.findByText(text));
    };
    await choose('Turn off Depot');
    expect(await noticeOf('Depot turned off.')).toBe('success');
    await shown('Depot (off)');
    expect(fences.get(1)?.enabled).toBe(false);
    await choose('Delete Depot');
    await user.click(await screen.findByText('Delete'));
    await waitFor(() => expect(fences.has(1)).toBe(false));
  });

  test('is for those with the permissions alone (S-2.1.11)', async () => {
    await openFences({ permission: ['system'] });
    await screen.findByText(/You don't have permission for this page/);
  });

  test('is in the language of the user (S-1.4)', async () => {
    watchWarnings();
    await openFences({ locale: 'jp' });
    await shown('Depot');
    screen.getByText('ジオフェンスを追加');
  });
});

describe('the form of a geofence', () => {
  test('changes numbers, undoes and redoes them, and saves nothing before Save', async () => {
    watchWarnings();
    const { fences, gateway, user } = await openFences();
    await edit(user, 'Depot');
    await enter(user, screen.getByLabelText(/Radius/), '450');
    await enter(user, screen.getByLabelText('Latitude'), '23.5');
    await user.click(screen.getByText('Undo'));
    expect(screen.getByLabelText<HTMLInputElement>('Latitude').value).toBe('23');
    await user.click(screen.getByText('Undo'));
    expect(screen.getByLabelText<HTMLInputElement>(/Radius/).value).toBe('300');
    await user.click(screen.getByText('Redo'));
    await user.click(screen.getByText('Redo'));
    expect(fences.get(1)?.radiusMeters).toBe(300);
    expect(document.documentElement.hasAttribute('data-unsaved')).toBe(true);
    await save(user);
    await waitFor(() => expect(fences.get(1)?.radiusMeters).toBe(450));
    expect(fences.get(1)?.geometry).toEqual({ type: 'Point', coordinates: [121, 23.5] });
    expect(gateway.callsOf(`${FENCES_PATH}/1`).map(({ method }) => method)).toEqual(['PUT']);
  });

  test('adds, moves and deletes vertices by keyboard', async () => {
    watchWarnings();
    const { fences, user } = await openFences();
    await edit(user, 'Lake line');
    await user.click(screen.getByLabelText('Add vertex after 1'));
    await user.click(await screen.findByLabelText('Delete vertex 3'));
    await enter(user, screen.getByLabelText('Longitude 1'), '120.9');
    await save(user);
    await waitFor(() =>
      expect(fences.get(2)?.geometry).toEqual({
        type: 'LineString',
        coordinates: [
          [120.9, 23],
          [121.05, 23.05],
          [121.2, 23.1],
        ],
      }),
    );
  });

  test('asks before what was drawn is lost', async () => {
    watchWarnings();
    const { user } = await openFences();
    await edit(user, 'Depot');
    await enter(user, screen.getByLabelText(/Radius/), '450');
    await user.click(screen.getByText('All geofences'));
    await user.click(await screen.findByText('Leave'));
    await shown('Depot');
  });

  test('refuses what has no name or outline, and shows why the gateway refuses one', async () => {
    watchWarnings();
    const { gateway, user } = await openFences();
    await user.click(await screen.findByText('Add geofence'));
    await user.click(await screen.findByText('Polygon', { selector: 'li' }));
    await user.click(await screen.findByText('Save'));
    await screen.findByText('Enter a name.');
    screen.getByText('Draw the geofence on the map.');
    await user.click(screen.getByText('All geofences'));
    await edit(user, 'Depot');
    gateway.on(`PUT ${FENCES_PATH}/1`, () =>
      json(
        { error: true, code: 'invalid-fields', message: 'no', data: { fields: { geometry: 'not-allowed' } } },
        { status: 400 },
      ),
    );
    await enter(user, screen.getByLabelText(/Radius/), '450');
    await save(user);
    await screen.findByRole('alert');
  });

  test('lets the user choose when somebody else has saved it first', async () => {
    watchWarnings();
    const { fences, user } = await openFences();
    await edit(user, 'Depot');
    fences.set(1, aFence({ version: 2, radiusMeters: 900, name: 'Depot 2' }));
    await enter(user, screen.getByLabelText(/Radius/), '450');
    await save(user);
    await screen.findByText('Another user changed this');
    await user.click(screen.getByText('Use all mine'));
    await save(user);
    await waitFor(() => expect(fences.get(1)?.radiusMeters).toBe(450));
  });

  test('previews the events of the last week before it is saved', async () => {
    watchWarnings();
    const { gateway, user } = await openFences();
    await edit(user, 'Depot');
    await user.click(screen.getByText('Preview the last 7 days'));
    await screen.findByText('In the last 7 days these devices would have raised 1 events. Devices: 4');
    expect(screen.getByLabelText('Events in the preview').textContent).toContain('2026-11-23 16:00:00 · Bus 1');
    expect(gateway.callsOf(FENCE_PREVIEW_PATH)[0]?.body).toMatchObject({ fence: { name: 'Depot', kind: 'circle' } });
    await enter(user, screen.getByLabelText(/Radius/), '450');
    expect(screen.queryByLabelText('Events in the preview')).toBeNull();
  });
});

describe('geofences in terminals', () => {
  test('are listed with their states, sent again, read back and removed', async () => {
    watchWarnings();
    const area = {
      deviceid: '0001',
      name: 'Bus 1',
      plate: '',
      isOnline: true,
      state: 'differs',
      note: 'simplified',
      isOld: true,
      changedAtMs: wallMs(Date.UTC(2026, 10, 23)),
    } as const;
    const { gateway, user } = await openFences({ areas: [area] });
    await edit(user, 'Depot');
    await user.click(screen.getByText('Terminals'));
    await shown('Bus 1');
    expect(rowOf('Bus 1').textContent).toContain('Differs');
    expect(rowOf('Bus 1').textContent).toContain('Sent with fewer vertices · The geofence was changed since');
    await user.click(within(rowOf('Bus 1')).getByRole('checkbox'));
    await user.click(screen.getByText('Read back'));
    await waitFor(() =>
      expect(gateway.callsOf(FENCE_DEVICE_PATH)[0]?.body).toEqual({ fence: 1, act: 'ask', devices: ['0001'] }),
    );
  });
});

describe('the import of geofences', () => {
  test('shows every row first, and imports exactly that', async () => {
    watchWarnings();
    layOut();
    const token = 'a'.repeat(64);
    const { gateway, user } = await openFences({
      plan: {
        format: 'kml',
        encoding: 'windows-1252',
        isGuess: true,
        counts: { added: 1, changed: 0, unchanged: 0, refused: 2 },
        token,
        rows: [
          { line: 1, name: 'Dépôt', kind: 'polygon', outcome: 'added', faults: [], at: '' },
          { line: 2, name: 'Knot', kind: 'polygon', outcome: 'refused', faults: ['fence-crossing'], at: '' },
          { line: 3, name: 'Lane', kind: 'corridor', outcome: 'refused', faults: ['bad-coordinates'], at: '2 (8.5,)' },
        ],
        shapes: [],
      },
    });
    await user.click(await screen.findByText('Import'));
    const file = new File(['<kml/>'], 'yards.kml');
    await user.upload(await screen.findByLabelText('Select file'), file);
    await screen.findByText(/Add: 1, change: 0, no change: 0, reject: 2 \(kml\)/);
    const [asked] = gateway.callsOf(FENCE_CHECK_PATH);
    expect(['widthMeters', 'name', 'encoding'].map((key) => asked?.query.get(key))).toEqual(['50', 'yards', null]);
    // What nobody can know is asked, with the names by which it shows.
    await screen.findByText(/read as Windows-1252: Dépôt\. If the names are wrong, select another encoding\./);
    await screen.findByText(/Position 2 \(8\.5,\) has the wrong format\./);
    await user.selectOptions(screen.getByLabelText('Encoding'), 'Big5');
    await waitFor(() => expect(gateway.callsOf(FENCE_CHECK_PATH)[1]?.query.get('encoding')).toBe('big5'));
    await waitFor(() => expect(screen.getByText('Import (1)').closest('button')?.disabled).toBe(false));
    await user.click(screen.getByText('Import (1)'));
    await waitFor(() => expect(gateway.callsOf(FENCE_APPLY_PATH)[0]?.query.get('token')).toBe(token));
  });
});
