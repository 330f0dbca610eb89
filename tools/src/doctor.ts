import { runAsProcess } from './command-line/command.js';
import { COULD_NOT_CHECK, doctorCommand } from './doctor/doctor-command.js';

await runAsProcess(doctorCommand, COULD_NOT_CHECK);
