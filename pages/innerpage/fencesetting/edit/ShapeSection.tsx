import Redo from '@mui/icons-material/RedoOutlined';
import Undo from '@mui/icons-material/UndoOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FenceKind } from '../../../../shared/protocol/fences/fenceWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useFaultText, useKindText } from '../fenceTexts.ts';
import { DegreeInput } from './DegreeInput.tsx';
import { liveFault } from './fenceChecks.ts';
import type { FenceDraft } from './fenceForm.ts';
import { emptyDraft, hasVertices, type ShapeDraft } from './shapeDraft.ts';
import type { EditedShape } from './useShape.ts';
import { VertexList } from './VertexList.tsx';

export interface ShapeSectionProps {
  readonly form: Form<FenceDraft>;
  readonly edited: EditedShape;
  /** Puts a first outline into the middle of the map; undefined while there is no map. */
  readonly onPlace: (() => void) | undefined;
}

/** The outline: how it is drawn, its numbers, and what is wrong with it. */
export function ShapeSection({ form, edited, onPlace }: ShapeSectionProps) {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  const { shown } = edited;
  const isEmpty = shown.positions.length === 0;
  return (
    <Section title={kindText(shown.kind)}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button size="small" startIcon={<Undo />} disabled={!edited.canUndo} onClick={edited.undo}>
          {t('Undo')}
        </Button>
        <Button size="small" startIcon={<Redo />} disabled={!edited.canRedo} onClick={edited.redo}>
          {t('Redo')}
        </Button>
        {isEmpty ? (
          <Button size="small" disabled={onPlace === undefined} onClick={onPlace}>
            {t('Place in the middle of the map')}
          </Button>
        ) : (
          <Button size="small" onClick={() => edited.change(redrawn(shown))}>
            {t('Draw again')}
          </Button>
        )}
      </Box>
      <DrawingHint kind={shown.kind} isDrawn={form.values.geometry.positions.length > 0} />
      <ShapeProblem form={form} edited={edited} />
      <SizeInput form={form} edited={edited} />
      {!isEmpty && !hasVertices(shown.kind) && (
        <CornerInputs shape={shown} disabled={form.isSaving} onChange={edited.change} />
      )}
      {!isEmpty && hasVertices(shown.kind) && (
        <VertexList shape={shown} disabled={form.isSaving} onChange={edited.change} />
      )}
    </Section>
  );
}

function redrawn({ kind, radiusMeters, widthMeters }: ShapeDraft): ShapeDraft {
  return { ...emptyDraft(kind), radiusMeters, widthMeters };
}

/** Until the first outline is finished, it says how to finish it. */
function DrawingHint({ kind, isDrawn }: { readonly kind: FenceKind; readonly isDrawn: boolean }) {
  const { t } = useTranslation('FenceSetting');
  const drawing: Readonly<Record<FenceKind, string>> = {
    polygon: t('Click each vertex on the map. Click the first one again, or press Enter, to finish.'),
    circle: t('Click the center on the map, then a point on the edge.'),
    rectangle: t('Click two opposite corners on the map.'),
    corridor: t('Click each vertex of the route on the map. Click the last one again, or press Enter, to finish.'),
  };
  const changing = hasVertices(kind)
    ? t(
        'Drag the shape or its vertices. Drag a point between two vertices to add one; right-click a vertex to delete it.',
      )
    : t('Drag the shape, or a point on its edge to resize it.');
  return <Typography sx={{ fontSize: 13, color: 'text.secondary' }}>{isDrawn ? changing : drawing[kind]}</Typography>;
}

/** The problem with the outline, shown at once, also during drawing. */
function ShapeProblem({ form, edited }: Pick<ShapeSectionProps, 'form' | 'edited'>) {
  const faultText = useFaultText();
  // Edges of many vertices take a moment to compare: the drawing goes first.
  const shape = useDeferredValue(edited.shown);
  const fault = useMemo(() => liveFault(shape), [shape]);
  const { problem } = form.field('geometry');
  const isSize = [form.part('geometry.radiusMeters', NO_PART), form.part('geometry.widthMeters', NO_PART)].some(
    (part) => part.problem !== undefined,
  );
  const text = fault === undefined ? (isSize || edited.isLive ? undefined : problem) : faultText(fault);
  return <Box aria-live="polite">{text !== undefined && <Alert severity="error">{text}</Alert>}</Box>;
}

const NO_PART = { value: undefined, onChange: () => undefined } as const;

/** The radius of a circle or the width of a corridor. */
function SizeInput({ form, edited }: Pick<ShapeSectionProps, 'form' | 'edited'>) {
  const { t } = useTranslation('FenceSetting');
  const { shown } = edited;
  if (shown.kind !== 'circle' && shown.kind !== 'corridor') return null;
  const isCircle = shown.kind === 'circle';
  const name = isCircle ? 'radiusMeters' : 'widthMeters';
  const field = form.part<number | null>(`geometry.${name}`, {
    value: shown[name],
    onChange: (value) => edited.change({ ...shown, [name]: value }, name),
  });
  return (
    <Box sx={COLUMNS}>
      <NumberInput field={field} label={isCircle ? t('Radius (m)') : t('Width (m)')} required />
    </Box>
  );
}

interface CornerInputsProps {
  readonly shape: ShapeDraft;
  readonly disabled: boolean;
  readonly onChange: (shape: ShapeDraft, run?: string) => void;
}

/** The center of a circle, or the sides of a rectangle. */
function CornerInputs({ shape, disabled, onChange }: CornerInputsProps) {
  const { t } = useTranslation('FenceSetting');
  const [[west, south] = [0, 0], second] = shape.positions;
  const [east, north] = second ?? [west, south];
  const put = (positions: ShapeDraft['positions'], run: string) => onChange({ ...shape, positions }, run);
  const sides =
    shape.kind === 'circle'
      ? [
          { label: t('Latitude'), value: south, limit: 90, set: (value: number) => put([[west, value]], 'south') },
          { label: t('Longitude'), value: west, limit: 180, set: (value: number) => put([[value, south]], 'west') },
        ]
      : [
          {
            label: t('North'),
            value: north,
            limit: 90,
            set: (value: number) =>
              put(
                [
                  [west, south],
                  [east, value],
                ],
                'north',
              ),
          },
          {
            label: t('South'),
            value: south,
            limit: 90,
            set: (value: number) =>
              put(
                [
                  [west, value],
                  [east, north],
                ],
                'south',
              ),
          },
          {
            label: t('West'),
            value: west,
            limit: 180,
            set: (value: number) =>
              put(
                [
                  [value, south],
                  [east, north],
                ],
                'west',
              ),
          },
          {
            label: t('East'),
            value: east,
            limit: 180,
            set: (value: number) =>
              put(
                [
                  [west, south],
                  [value, north],
                ],
                'east',
              ),
          },
        ];
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {sides.map(({ label, value, limit, set }) => (
        <DegreeInput key={label} label={label} value={value} limit={limit} disabled={disabled} onChange={set} />
      ))}
    </Box>
  );
}
