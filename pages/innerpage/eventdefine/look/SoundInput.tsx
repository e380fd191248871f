import PlayArrow from '@mui/icons-material/PlayArrow';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { EVENT_SOUNDS, type EventSound } from '../../../../shared/protocol/api/eventTypes.ts';
import { previewSound } from '../../../../shared/ui/events/sounds.ts';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useSoundName } from '../names.ts';

export function SoundInput({ field }: { readonly field: Field<EventSound> }) {
  const { t } = useTranslation('EventDefine');
  const soundName = useSoundName();
  const play = async () => {
    if ((await previewSound(field.value)) === 'blocked') {
      notify('warning', t("The browser can't play sounds. Check its sound settings."));
    }
  };
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'start' }}>
      <SelectInput
        field={field}
        label={t('Sound')}
        options={EVENT_SOUNDS.map((value) => ({ value, label: soundName(value) }))}
      />
      <Button
        variant="outlined"
        startIcon={<PlayArrow />}
        disabled={field.value === 'none'}
        onClick={() => void play()}
        sx={{ flexShrink: 0, height: 40 }}
      >
        {t('Play')}
      </Button>
    </Box>
  );
}
