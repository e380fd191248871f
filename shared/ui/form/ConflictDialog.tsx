import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { differences, mergedRecord, proposedSide, type Side, type ThreeVersions } from './mergeRecords.ts';

export interface ConflictField<Values> {
  readonly name: keyof Values & string;
  readonly label: string;
  /** The field's value as text. */
  readonly show: (values: Values) => string;
}

export interface ConflictDialogProps<Values> {
  readonly versions: ThreeVersions<Values>;
  readonly fields: readonly ConflictField<Values>[];
  /** The record as chosen; nothing is saved by choosing. */
  readonly onChoose: (values: Values) => void;
  readonly onClose: () => void;
}

/** Somebody else saved the record first: shows what they changed, and lets the user keep either, field by field. */
export function ConflictDialog<Values extends object>(props: ConflictDialogProps<Values>) {
  const { versions, fields, onChoose, onClose } = props;
  const { t } = useTranslation(['Form', 'Common']);
  const [sides, setSides] = useState<Partial<Record<keyof Values, Side>>>({});
  const titleId = useId();
  const names = fields.map(({ name }) => name);
  const found = differences(versions, names);
  const decide = (side: Side) =>
    onChoose(mergedRecord(versions, found, Object.fromEntries(names.map((name) => [name, side])) as typeof sides));
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Another user changed this')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText>
          {found.length > 0
            ? t('Your changes are kept. Select the values to use, then save again.')
            : t("The other changes don't affect yours. Save again to keep both.")}
        </DialogContentText>
        {fields.map((field) => {
          const difference = found.find(({ name }) => name === field.name);
          if (difference === undefined) return null;
          return (
            <SideChoice
              key={field.name}
              field={field}
              versions={versions}
              side={sides[field.name] ?? proposedSide(difference)}
              onChange={(side) => setSides({ ...sides, [field.name]: side })}
            />
          );
        })}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', gap: 1 }}>
        <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
        {found.length > 1 && <Button onClick={() => decide('theirs')}>{t('Use all theirs')}</Button>}
        {found.length > 1 && <Button onClick={() => decide('mine')}>{t('Use all mine')}</Button>}
        <Button variant="contained" onClick={() => onChoose(mergedRecord(versions, found, sides))}>
          {t('Continue')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface SideChoiceProps<Values> {
  readonly field: ConflictField<Values>;
  readonly versions: ThreeVersions<Values>;
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

function SideChoice<Values>({ field, versions, side, onChange }: SideChoiceProps<Values>) {
  const { t } = useTranslation('Form');
  const labelId = useId();
  const text = (values: Values) => field.show(values) || NOTHING;
  return (
    <div>
      <FormLabel id={labelId} sx={{ fontWeight: 600 }}>
        {field.label}
      </FormLabel>
      <RadioGroup aria-labelledby={labelId} value={side} onChange={(_, value) => onChange(value as Side)}>
        <FormControlLabel
          value="mine"
          control={<Radio size="small" />}
          label={t('Yours: {{value}}', { value: text(versions.mine) })}
          sx={VALUE}
        />
        <FormControlLabel
          value="theirs"
          control={<Radio size="small" />}
          label={t('Theirs: {{value}} (was {{before}})', { value: text(versions.theirs), before: text(versions.base) })}
          sx={VALUE}
        />
      </RadioGroup>
    </div>
  );
}

const NOTHING = '–';
const VALUE = { overflowWrap: 'anywhere' } as const;
