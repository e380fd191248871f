import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { FormBox } from '../../../../shared/ui/form/FormBox.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';

/** For members who can't list events. */
export function EventIdForm({ onChoose }: { readonly onChoose: (event: number) => void }) {
  const { t } = useTranslation('NotifyConfig');
  const form = useForm<{ readonly event: number | null }>({ initial: { event: null }, guarded: false });
  const { event } = form.values;
  const isEvent = event !== null && Number.isSafeInteger(event) && event > 0;
  return (
    <Box sx={{ maxWidth: 420, display: 'grid', gap: 1 }}>
      <Typography sx={{ color: 'text.secondary' }}>
        {t("You can't list events without the permission Event. Enter the ID of an event instead.")}
      </Typography>
      <FormBox form={form} onSubmit={() => isEvent && onChoose(event)}>
        <NumberInput field={form.field('event')} label={t('Event ID')} />
        <Button type="submit" variant="contained" disabled={!isEvent} sx={{ justifySelf: 'start' }}>
          {t('Explain')}
        </Button>
      </FormBox>
    </Box>
  );
}
