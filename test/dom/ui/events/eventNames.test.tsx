// What events are called, and how they look, in pages that show some.
import { act, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES_PATH, type EventTypeName } from '../../../../shared/protocol/api/eventTypes.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import { type LoadedEventNames, useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { RecordsProvider } from '../../../../shared/ui/records/RecordsProvider.tsx';
import { anyEventType, anyReason } from '../../../support/anyEventType.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import type { FakeGateway } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const NO_NAMES = { nameEn: '', nameZh: '', nameJp: '' };
function typeNamed(code: string, names: Partial<typeof NO_NAMES> = {}): EventTypeName {
  const { enabled, snapshotChannels, source, ...shown } = anyEventType();
  return { ...shown, ...NO_NAMES, ...names, code, unit: 'none' };
}

const TYPES = [
  typeNamed('speeding'),
  typeNamed('fatigue', { nameEn: 'Tired driver' }),
  typeNamed('custom-1', { nameEn: 'Ramp down', nameZh: '放下坡道' }),
];
const REASONS = [
  { ...anyReason({ nameEn: '' }), id: 1, version: 1, code: 'test', isBuiltIn: true },
  { ...anyReason(), id: 2, version: 1, code: 'custom-2', isBuiltIn: false, enabled: false },
];

function answerNames(gateway: FakeGateway, types: readonly EventTypeName[] = TYPES): void {
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: false, data: { types, reasons: REASONS } });
}

let names: LoadedEventNames;

function Names() {
  names = useEventNames();
  return null;
}

async function show(locale: 'en' | 'zh-TW' | 'jp' = 'en') {
  const shown = (
    <RecordsProvider>
      <Names />
    </RecordsProvider>
  );
  await renderPage(shown, locale);
}

test('names follow the language, and what administrators have called them', async () => {
  answerNames(planGateway());
  fakeSockets();
  await show('zh-TW');
  expect(['speeding', 'fatigue', 'custom-1'].map((code) => names.nameOf(code))).toEqual([
    '超速',
    'Tired driver',
    '放下坡道',
  ]);
  expect([names.reasonName('test'), names.reasonName('custom-2')]).toEqual(['測試', 'Wash bay']);
  await act(() => i18next.changeLanguage('jp'));
  expect(['speeding', 'custom-1'].map((code) => names.nameOf(code))).toEqual(['速度超過', 'Ramp down']);
  expect(names.reasonName('test')).toBe('テスト');
});

test('types and reasons are there whole, those that are off too', async () => {
  answerNames(planGateway());
  fakeSockets();
  await show();
  expect(names.types).toEqual(TYPES);
  expect(names.reasons).toEqual(REASONS);
  expect(names.typeOf('custom-1')).toMatchObject({ severity: 'major', icon: 'door', clipAfterS: 30 });
});

test('what nobody knows is called by its code', async () => {
  answerNames(planGateway());
  fakeSockets();
  await show();
  expect([names.nameOf('of-tomorrow'), names.reasonName('of-tomorrow'), names.reasonName('')]).toEqual([
    'of-tomorrow',
    'of-tomorrow',
    '',
  ]);
  expect(names.typeOf('of-tomorrow')).toBeUndefined();
});

test('built-in names are there while the gateway does not answer, and the others once it does', async () => {
  watchWarnings();
  const gateway = planGateway();
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: true, message: 'away' });
  fakeSockets();
  await show();
  expect(names.failure).toMatchObject({ kind: 'http' });
  expect([names.nameOf('fatigue'), names.nameOf('custom-1'), names.reasonName('test')]).toEqual([
    'Fatigue',
    'custom-1',
    'Test',
  ]);
  answerNames(gateway);
  act(() => names.reload());
  await waitFor(() => expect(names.nameOf('custom-1')).toBe('Ramp down'));
  expect(names.failure).toBeUndefined();
});

test('an edit elsewhere is followed; until then everything is the same object', async () => {
  const gateway = planGateway();
  answerNames(gateway);
  const sockets = fakeSockets();
  await show();
  sockets[0]?.open();
  await settle();
  const before = names;
  sockets[0]?.changed('link');
  await settle();
  expect(names).toBe(before);
  answerNames(gateway, [typeNamed('speeding', { nameEn: 'Too fast' })]);
  sockets[0]?.changed('eventtype');
  await waitFor(() => expect(names.nameOf('speeding')).toBe('Too fast'));
});

test('a severity is a word, and an icon says nothing that its name does not', async () => {
  planGateway();
  await renderPage(
    <>
      <SeverityChip severity="critical" />
      <EventIcon type={typeNamed('speeding')} />
      <EventIcon type={undefined} />
    </>,
    'zh-TW',
  );
  expect(screen.getByText('危急')).toBeDefined();
  expect([...document.querySelectorAll('svg')].map((icon) => icon.getAttribute('aria-hidden'))).toEqual([
    'true',
    'true',
  ]);
  await act(() => i18next.changeLanguage('jp'));
  expect(screen.getByText('緊急')).toBeDefined();
});
