import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRuleField } from '../../../../shared/protocol/events/eventRules.ts';
import { useOriginText } from './originText.ts';
import type { RuleContent } from './ruleContent.ts';
import { useFieldNames, useValueText } from './valueText.ts';

export interface SettingRowProps {
  readonly content: RuleContent;
  readonly name: EventRuleField;
  /** Only to be inherited: the member can't set it. */
  readonly isLocked?: boolean;
  /** The input. */
  readonly children: ReactNode;
}

/** A field with where its value comes from below it, and the way to set it here or to inherit it. */
export function SettingRow({ content: { form, row, inherited }, name, isLocked = false, children }: SettingRowProps) {
  const { t } = useTranslation('EventConfig');
  const [originText, valueText, fieldNames] = [useOriginText(), useValueText(row.type), useFieldNames(row.type)];
  const field = form.field(name);
  const { isOwn } = form.values[name];
  const origin = isOwn
    ? t('Set here. Inherited: {{value}}', { value: valueText(name, inherited) })
    : originText(row.origins[name], row.own[name] !== undefined);
  const [action, label] = isOwn
    ? [t('Inherit'), t('Inherit: {{field}}', { field: fieldNames[name] })]
    : [t('Set here'), t('Set here: {{field}}', { field: fieldNames[name] })];
  return (
    <Box sx={ROW}>
      {children}
      <Box sx={LINE}>
        <Box component="span" sx={{ color: isOwn ? 'primary.main' : 'text.secondary', overflowWrap: 'anywhere' }}>
          {origin}
        </Box>
        <Button
          size="small"
          disabled={field.disabled || (isLocked && !isOwn)}
          onClick={() => form.change({ [name]: isOwn ? inherited[name] : { ...form.values[name], isOwn: true } })}
          aria-label={label}
          sx={{ minWidth: 0, py: 0, px: 0.75, fontSize: 12, textTransform: 'none', flexShrink: 0 }}
        >
          {action}
        </Button>
      </Box>
    </Box>
  );
}

// What stands below an input begins where its origin does.
const ROW = { minWidth: 0, '& .MuiFormHelperText-root': { mx: 0 } } as const;
const LINE = { display: 'flex', alignItems: 'center', gap: 0.5, fontSize: 12, mt: 0.25 } as const;
