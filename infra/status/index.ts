// Status: every process tells every second on the bus who it is and how it is, and serves the same
// to its supervisor. The monitor joins the beats of all.

export { openStatus } from './status.ts';
export {
  allStatusSubjects,
  encodeStatusBeat,
  readStatusBeat,
  type StatusBeat,
  statusSubject,
} from './status-beat.ts';
