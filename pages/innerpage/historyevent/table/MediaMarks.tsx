import AttachmentIcon from '@mui/icons-material/AttachFileOutlined';
import SnapshotIcon from '@mui/icons-material/PhotoCameraOutlined';
import ClipIcon from '@mui/icons-material/VideoFileOutlined';
import Box from '@mui/material/Box';
import { EventMediaBit } from '../../../../shared/protocol/api/events.ts';

/** Signs for what is kept of an event; their names stand in the cell's text. */
export function MediaMarks({ media, label }: { readonly media: number; readonly label: string }) {
  if (media === 0) return null;
  return (
    <Box
      role="img"
      aria-label={label}
      sx={{ display: 'inline-flex', verticalAlign: 'middle', gap: 0.25, color: 'text.secondary' }}
    >
      {(media & EventMediaBit.Clip) !== 0 && <ClipIcon sx={MARK} />}
      {(media & EventMediaBit.Snapshot) !== 0 && <SnapshotIcon sx={MARK} />}
      {(media & EventMediaBit.Attachment) !== 0 && <AttachmentIcon sx={MARK} />}
    </Box>
  );
}

const MARK = { fontSize: 18 } as const;
