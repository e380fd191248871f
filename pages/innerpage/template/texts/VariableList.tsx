import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { isPersonal, type SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { TEMPLATE_VARIABLES } from '../../../../shared/protocol/notify/templateVariables.ts';

export interface VariableListProps {
  readonly kind: SenderKind;
  readonly onInsert: (variable: string) => void;
}

/** Every variable with an example; a click puts it where the cursor is. */
export function VariableList({ kind, onInsert }: VariableListProps) {
  const { t } = useTranslation('Template');
  const id = useId();
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography id={`${id}-title`} component="h4" sx={{ fontSize: 13, fontWeight: 600 }}>
        {t('Variables')}
      </Typography>
      <Typography sx={{ fontSize: 13, color: 'text.secondary', mb: 1 }}>
        {isPersonal(kind)
          ? t('Select one to insert it at the cursor. Lines whose variables are all empty are left out.')
          : t('Select one to insert it at the cursor.')}
      </Typography>
      <Box component="ul" sx={LIST} aria-labelledby={`${id}-title`}>
        {TEMPLATE_VARIABLES.map(({ name, example }) => (
          <li key={name}>
            <ButtonBase
              aria-label={t('Insert {{variable}}', { variable: name })}
              onClick={() => onInsert(name)}
              sx={VARIABLE}
            >
              <code>{name}</code>
              <Box component="span" sx={EXAMPLE}>
                {example}
              </Box>
            </ButtonBase>
          </li>
        ))}
      </Box>
    </Box>
  );
}

const LIST = {
  m: 0,
  p: 0,
  listStyle: 'none',
  maxHeight: 220,
  overflowY: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
const VARIABLE = {
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-start',
  columnGap: 2,
  width: '100%',
  px: 1.5,
  py: 0.75,
  fontSize: 13,
  textAlign: 'left',
  '&:hover, &:focus-visible': { bgcolor: 'action.hover' },
} as const;
const EXAMPLE = { color: 'text.secondary', overflowWrap: 'anywhere' } as const;
