import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { PolicyInput } from '../../../../pages/innerpage/devicegroup/devices/PolicyInput.tsx';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';

let shown: RecordingPolicy;

function Policy() {
  const [policy, setPolicy] = useState<RecordingPolicy>({
    mode: 'always',
    quality: 'main',
    schedule: [],
    retentionDays: 0,
  });
  shown = policy;
  return <PolicyInput policy={policy} onChange={setPolicy} disabled={false} label="Recording" />;
}

const hours = () => shown.schedule.map(({ fromMinute, toMinute }) => [fromMinute, toMinute]);

test('hours that were added alike are changed one by one, and removed one by one', async () => {
  planGateway();
  const user = userEvent.setup();
  await renderPage(<Policy />);
  const group = within(screen.getByRole('group', { name: 'Recording' }));
  await user.click(group.getByText('Limit to hours'));
  await user.click(await group.findByText('Add hours'));
  expect(hours()).toEqual([
    [0, 1440],
    [0, 1440],
  ]);
  const [, second] = group.getAllByLabelText('End');
  await user.clear(second as HTMLElement);
  await user.type(second as HTMLElement, '０８：３０');
  expect(second?.getAttribute('aria-invalid')).toBe('false');
  expect(hours()).toEqual([
    [0, 1440],
    [0, 510],
  ]);
  await user.click(group.getAllByLabelText('Delete hours')[0] as HTMLElement);
  expect(hours()).toEqual([[0, 510]]);
});
