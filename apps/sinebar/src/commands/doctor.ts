import { runAsProcess } from '../command-line/command.ts';
import { COULD_NOT_CHECK, doctorCommand } from './doctor/doctor-command.ts';

await runAsProcess(doctorCommand, COULD_NOT_CHECK);
