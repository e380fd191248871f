import { useTranslation } from 'react-i18next';
import { attemptOutcomeText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyMessageDetail } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FactTable } from '../FactTable.tsx';

export interface AttemptTableProps {
  readonly attempts: NotifyMessageDetail['attempts'];
}

const NUMBER = new Intl.NumberFormat('en-US');

export function AttemptTable({ attempts }: AttemptTableProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const zone = useUserZone();
  return (
    <FactTable
      label={t('Attempts')}
      columns={[
        { title: t('Time') },
        { title: t('Result') },
        { title: t('Duration (ms)'), align: 'right' },
        { title: t('Answer') },
      ]}
      rows={attempts.map(({ atMs, tookMs, outcome, answer }) => [
        formatTimestamp(atMs, zone),
        attemptOutcomeText(outcome),
        NUMBER.format(tookMs),
        answer,
      ])}
    />
  );
}
