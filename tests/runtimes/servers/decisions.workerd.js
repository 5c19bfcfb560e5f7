// The application of the decision table, as a worker.
import { decisionsApplication } from "../../cases/decisions-application.ts";

export default decisionsApplication();
