import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useTranslation } from 'react-i18next';
import type { RestorePlan } from '../../../../shared/protocol/api/system/restore.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { ENGINE_NAMES, useContentTexts } from '../words/useContentTexts.ts';
import { KeepChoices } from './KeepChoices.tsx';
import type { RestoreKeep } from './restoreKeep.ts';
import { TableList } from './TableList.tsx';
import { useNamesText } from './useNamesText.ts';

export interface PreviewStepProps {
  readonly plan: RestorePlan;
  readonly keep: RestoreKeep;
  readonly onKeep: (keep: RestoreKeep) => void;
  readonly onNext: () => void;
  readonly onClose: () => void;
}

/** What would happen, before anything does. */
export function PreviewStep({ plan, keep, onKeep, onNext, onClose }: PreviewStepProps) {
  const { t } = useTranslation(['SystemBackup', 'Common']);
  return (
    <>
      <DialogContent sx={{ display: 'grid', gap: 2.5, alignContent: 'start' }}>
        <OriginPart plan={plan} />
        <LossPart plan={plan} />
        <Section title={t('Keep from the current state')}>
          <KeepChoices plan={plan} keep={keep} onKeep={onKeep} />
        </Section>
        <Section title={t('Tables that change')}>
          <TableList tables={plan.tables} />
        </Section>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
        <Button variant="contained" onClick={onNext}>
          {t('Continue')}
        </Button>
      </DialogActions>
    </>
  );
}

/** What made the backup, and what that means here. */
function OriginPart({ plan }: { readonly plan: RestorePlan }) {
  const { t } = useTranslation('SystemBackup');
  const { historyList } = useContentTexts();
  const { schemaVersion, schema, engine, isOtherEngine, missingHistory } = plan;
  return (
    <>
      <FactList
        facts={[
          [t('Version'), plan.productVersion],
          [t('Database schema'), String(schemaVersion)],
          [t('Database'), ENGINE_NAMES[engine] ?? engine],
        ]}
      />
      {schema === 'older' && (
        <Alert severity="info">{t('An earlier version made the backup. Its data is converted.')}</Alert>
      )}
      {isOtherEngine && (
        <Alert severity="info">{t('The backup is from another kind of database. Its data is converted.')}</Alert>
      )}
      {missingHistory.length > 0 && (
        <Alert severity="warning">
          {t("The backup doesn't have: {{parts}}", { parts: historyList(missingHistory) })}
        </Alert>
      )}
    </>
  );
}

/** What is there now and wouldn't be any more. */
function LossPart({ plan }: { readonly plan: RestorePlan }) {
  const { t, i18n } = useTranslation('SystemBackup');
  const namesText = useNamesText();
  const number = (count: number) => new Intl.NumberFormat(i18n.language).format(count);
  const { vanishing, since } = plan;
  return (
    <>
      <Section title={t('Added since the backup, and lost')}>
        <FactList
          facts={[
            [t('Devices'), namesText(vanishing.devices)],
            [t('Members'), namesText(vanishing.members)],
          ]}
        />
      </Section>
      <Section title={t('Happened since the backup')}>
        <FactList
          facts={[
            [t('Events'), number(since.events)],
            [t('Positions'), number(since.positions)],
            [t('Audit log entries'), number(since.auditRows)],
          ]}
        />
        <Box sx={{ color: 'text.secondary' }}>{t('The audit log always stays.')}</Box>
      </Section>
    </>
  );
}
