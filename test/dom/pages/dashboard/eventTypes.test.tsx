// The dashboard's figures of events: to History Event for whoever may look at events, to the map for everybody.
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { EventTypes } from '../../../../pages/innerpage/dashboard/figures/EventTypes.tsx';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { RecordsProvider } from '../../../../shared/ui/records/RecordsProvider.tsx';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

async function open(hasHistory: boolean) {
  const gateway = planGateway();
  fakeSockets();
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: false, data: EVENT_WORDS });
  const onMap: string[] = [];
  const events = [
    { type: 'speeding', count: 1_200 },
    { type: 'idling', count: 3 },
  ];
  const onType = (type: string) => void onMap.push(type);
  act(() => setPageQuery('', 'replace'));
  await renderPage(
    <RecordsProvider>
      <EventTypes events={events} hasHistory={hasHistory} onType={onType} onShowActive={() => undefined} />
    </RecordsProvider>,
  );
  return onMap;
}

test('lead to the events of their type in the last 24 hours, and beside that to the map', async () => {
  const onMap = await open(true);
  const { search } = new URL((screen.getByText('Speeding').closest('a') as HTMLAnchorElement).href);
  const query = new URLSearchParams(search);
  expect([query.get('period'), query.get('types')]).toEqual(['24h', 'speeding']);
  await userEvent.click(screen.getByRole('button', { name: 'Show on map: Idling' }));
  expect(onMap).toEqual(['idling']);
});

test('lead to the map alone for whoever may not look at events', async () => {
  const onMap = await open(false);
  expect(screen.queryAllByRole('link')).toEqual([]);
  await userEvent.click(screen.getByText('Speeding'));
  expect(onMap).toEqual(['speeding']);
});
