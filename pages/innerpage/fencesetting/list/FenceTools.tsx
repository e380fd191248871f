import Add from '@mui/icons-material/AddOutlined';
import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { startFenceExport } from '../../../../shared/api/fences.ts';
import { FENCE_KINDS } from '../../../../shared/protocol/fences/fenceWords.ts';
import { DownloadButton } from '../../../../shared/ui/files/DownloadButton.tsx';
import { type FenceDraft, newFence } from '../edit/fenceForm.ts';
import { useKindText } from '../fenceTexts.ts';

export interface FenceToolsProps {
  readonly onAdd: (draft: FenceDraft) => void;
  readonly onImport: () => void;
}

/** Add by kind, import, export. */
export function FenceTools({ onAdd, onImport }: FenceToolsProps) {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [buttonId, menuId] = [useId(), useId()];
  const isOpen = anchor !== null;
  return (
    <>
      <Button
        id={buttonId}
        variant="contained"
        size="small"
        startIcon={<Add />}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(isOpen ? { 'aria-controls': menuId } : {})}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('Add geofence')}
      </Button>
      <Menu
        id={menuId}
        anchorEl={anchor}
        open={isOpen}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-labelledby': buttonId } }}
      >
        {FENCE_KINDS.map((kind) => (
          <MenuItem
            key={kind}
            onClick={() => {
              setAnchor(null);
              onAdd(newFence(kind));
            }}
          >
            {kindText(kind)}
          </MenuItem>
        ))}
      </Menu>
      <Button size="small" startIcon={<UploadFile />} onClick={onImport}>
        {t('Import')}
      </Button>
      <DownloadButton label="GeoJSON" request={() => startFenceExport('geojson')} />
      <DownloadButton label="KML" request={() => startFenceExport('kml')} />
    </>
  );
}
