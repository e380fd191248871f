import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { blankDevice, type DeviceValues } from '../../../../pages/innerpage/devicegroup/devices/deviceForm.ts';
import { RecordingTab } from '../../../../pages/innerpage/devicegroup/devices/RecordingTab.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';

const ALWAYS = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 } as const;

function Recording({ withheld }: { readonly withheld: readonly number[] | undefined }) {
  const form = useForm<DeviceValues>({ initial: blankDevice(1), check: () => ({}) });
  return <RecordingTab form={form} inherited={ALWAYS} withheld={withheld} />;
}

test('S-2.4.9 names the channels that a used-up data plan keeps from being recorded', async () => {
  planGateway();
  await renderPage(<Recording withheld={[1, 3]} />);
  expect(screen.getByRole('alert').textContent).toBe(
    'Withheld by the data plan, which is used up. Channels not recorded now: 1, 3',
  );
});

test.each([[[]], [undefined]])('S-2.4.9 says nothing of it where there are none: %j', async (withheld) => {
  planGateway();
  await renderPage(<Recording withheld={withheld} />);
  expect(screen.getByText('Add channel settings')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
