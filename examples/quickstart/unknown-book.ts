import { HTTPError } from "fingerpost/native";

/** An error of this application's own: 404, because that is the status it extends HTTPError with. */
export class UnknownBook extends HTTPError {
  constructor(book: string) {
    super(404, `There is no book ${book.slice(0, 80)}`);
  }
}
