import { useTranslation } from 'react-i18next';
import { recipientNoteText } from '../../../../shared/i18n/notifyWordText.ts';
import type { ExplainedRecipient } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FactTable } from '../FactTable.tsx';
import { senderText } from '../senderText.ts';

export interface RecipientTableProps {
  readonly recipients: readonly ExplainedRecipient[];
}

/** Who is notified through which sender, and when; or why not. */
export function RecipientTable({ recipients }: RecipientTableProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const zone = useUserZone();
  const cellsOf = ({ step, recipient, senderName, kind, atMs, note }: ExplainedRecipient) => [
    String(step),
    recipient || t('Service'),
    senderText(senderName, kind),
    atMs === 0 ? t('Not sent') : formatTimestamp(atMs, zone),
    recipientNoteText(note),
  ];
  return (
    <FactTable
      label={t('Recipients')}
      columns={[
        { title: t('Step'), align: 'right' },
        { title: t('Recipient') },
        { title: t('Sender') },
        { title: t('Time') },
        { title: t('Note') },
      ]}
      rows={recipients.map(cellsOf)}
    />
  );
}
