import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { simPlans } from '../../../../shared/api/netflow/netflow.ts';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { PLAN_ACTIONS, type PlanAction } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { type OpenedRecord, RecordDialog } from '../../../../shared/ui/form/RecordDialog.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { usePlanFields } from './planFields.ts';
import { checkPlan, contentOfPlan, draftOfPlan, newPlan, RESET_DAYS } from './planForm.ts';

export function PlanDialog(opened: OpenedRecord<SimPlan>) {
  const { t } = useTranslation('Netflow');
  const zone = useUserZone();
  const hints = useActionHints();
  const texts = {
    noName: t('Enter a name.'),
    badMegabytes: t('Enter a whole number of at least 1.'),
    noZone: t('Select a time zone.'),
  };
  const kind = {
    client: simPlans,
    fields: usePlanFields(),
    draftOf: draftOfPlan,
    contentOf: contentOfPlan,
    check: (draft: Parameters<typeof checkPlan>[0]) => checkPlan(draft, texts),
  };
  return (
    <RecordDialog
      {...opened}
      kind={kind}
      blank={newPlan(zone)}
      titleOf={(plan) => (plan === undefined ? t('Add data plan') : t('Data plan {{name}}', { name: plan.name }))}
    >
      {({ form, isNew, input }) => (
        <>
          <TextInput {...input('name')} required autoFocus={isNew} maxLength={100} />
          <Box sx={COLUMNS}>
            <NumberInput {...input('megabytes')} required hint={t('Of 1,000,000 bytes, as networks count them.')} />
            <SelectInput
              {...input('resetDay')}
              options={RESET_DAYS.map((value) => ({ value, label: value }))}
              hint={t('Of the month. In shorter months, the last day.')}
            />
            <PickInput {...input('timeZone')} required options={zoneOptions(Date.now())} />
            <TextInput {...input('price')} maxLength={60} />
          </Box>
          <SelectInput
            {...input('action')}
            options={PLAN_ACTIONS.map((value) => ({ value, label: planActionText(value) }))}
            hint={`${hints[form.values.action]} ${t('Events, positions and talk always pass.')}`}
          />
        </>
      )}
    </RecordDialog>
  );
}

/** What each action does, in a sentence. */
function useActionHints(): Readonly<Record<PlanAction, string>> {
  const { t } = useTranslation('Netflow');
  return {
    none: t('Nothing is limited. Events still tell how much is used.'),
    'sub-stream': t('Live video uses the sub stream, which needs less data. Recording in the main stream stops.'),
    'events-only': t('Video passes only when an event asks for it. Viewers and the recorder get none.'),
    'no-video': t('No video passes, not even of events.'),
    'no-transfers': t('Data sync and firmware updates wait until the plan starts over.'),
  };
}
