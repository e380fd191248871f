import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { addFence, changeFence } from '../../../../shared/api/fences.ts';
import { type Fence, MAX_FENCE_NAME } from '../../../../shared/protocol/api/fences/fences.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { FormBox } from '../../../../shared/ui/form/FormBox.tsx';
import { hasProblem } from '../../../../shared/ui/form/formState.ts';
import { SaveRow } from '../../../../shared/ui/form/SaveRow.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { type Field, type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useFenceTexts } from '../fenceTexts.ts';
import type { FenceMap, MapSketch } from '../map/fenceMap.ts';
import { useSketch } from '../map/useSketch.ts';
import { DevicesSection } from './DevicesSection.tsx';
import { FenceConflict } from './FenceConflict.tsx';
import { checkFence } from './fenceChecks.ts';
import { contentOfDraft, draftOfFence, type FenceDraft } from './fenceForm.ts';
import type { OpenedFence } from './openedFence.ts';
import { PreviewSection, previewOf, type ShownPreview } from './PreviewSection.tsx';
import { RulesSection } from './RulesSection.tsx';
import { ShapeSection } from './ShapeSection.tsx';
import { placedIn } from './shapeDraft.ts';
import { TimeSection } from './TimeSection.tsx';
import { useHistoryKeys } from './useHistoryKeys.ts';
import { type EditedShape, useShape } from './useShape.ts';

export interface FenceFormProps {
  readonly opened: OpenedFence;
  readonly map: FenceMap | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** Nothing is saved before the button says so. */
export function FenceForm({ opened, map, onSaved, onCancel }: FenceFormProps) {
  const { t } = useTranslation('FenceSetting');
  const texts = useFenceTexts();
  const choices = useDeviceChoices();
  const [fence, setFence] = useState('fence' in opened ? opened.fence : undefined);
  const form = useForm<FenceDraft>({
    initial: 'fence' in opened ? draftOfFence(opened.fence) : opened.draft,
    check: (draft) => checkFence(draft, texts),
  });
  const edited = useShape(form);
  const [preview, setPreview] = useState<ShownPreview>();
  useHistoryKeys(edited);
  useFormSketch({ map, form, edited, fence: fence?.id, preview });
  const save = async () => {
    const saved = await form.submit((draft) => store(fence, draft));
    if (saved === undefined) return;
    notify('success', t('Geofence saved.'));
    onSaved();
  };
  const place = map && (() => edited.change(placedIn(edited.shown, map.bounds)));
  return (
    <FormBox form={form} onSubmit={() => void save()}>
      <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
        <TextInput
          field={form.field('name')}
          label={t('Name')}
          required
          autoFocus={fence === undefined}
          maxLength={MAX_FENCE_NAME}
        />
        <Box sx={COLUMNS}>
          <SwitchInput field={form.field('enabled')} label={t('Enabled')} />
          <ColorInput field={form.field('color')} label={t('Color')} />
        </Box>
      </Box>
      <ShapeSection form={form} edited={edited} onPlace={place} />
      <RulesSection form={form} />
      <DevicesSection form={form} choices={choices} />
      <TimeSection form={form} />
      <PreviewSection
        draft={form.values}
        hasProblem={hasProblem(checkFence(form.values, texts))}
        preview={preview}
        onPreview={setPreview}
      />
      <SaveRow form={form} always={fence === undefined} onCancel={onCancel} />
      <FenceConflict
        form={form}
        choices={choices}
        onFence={(theirs) => {
          setFence(theirs);
          edited.forget();
        }}
      />
    </FormBox>
  );
}

function store(fence: Fence | undefined, draft: FenceDraft): Promise<ApiResult<Fence>> {
  const content = contentOfDraft(draft);
  // A form with nothing drawn has a problem, and isn't sent.
  if (content === undefined) throw new TypeError('a fence without an outline is not saved');
  return fence === undefined ? addFence(content) : changeFence(fence.id, { ...content, version: fence.version });
}

interface FormSketch {
  readonly map: FenceMap | undefined;
  readonly form: Form<FenceDraft>;
  readonly edited: EditedShape;
  readonly fence: number | undefined;
  readonly preview: ShownPreview | undefined;
}

function useFormSketch({ map, form, edited, fence, preview }: FormSketch): void {
  const { t } = useTranslation('FenceSetting');
  const { color, geometry } = form.values;
  const events = previewOf(preview, form.values)?.events;
  // What is being dragged is with the drawing tool, which must not be given it back.
  const draft = geometry;
  const sketch = useMemo<MapSketch>(
    () => ({ fence, draft, color, events: events ?? [] }),
    [fence, draft, color, events],
  );
  useSketch(map, sketch, {
    onLive: edited.setLive,
    onShape: edited.change,
    onFailure: () => notify('error', t("The drawing tool didn't load. Reload the page, or type the coordinates.")),
  });
}

/** The browser's own choice of colors, which keys and screen readers know. */
function ColorInput({ field, label }: { readonly field: Field<string>; readonly label: string }) {
  return (
    <TextField
      type="color"
      size="small"
      label={label}
      name={field.name}
      value={field.value}
      disabled={field.disabled}
      error={field.problem !== undefined}
      helperText={field.problem}
      onChange={(event) => field.onChange(event.target.value.toLowerCase())}
      onBlur={field.onBlur}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
