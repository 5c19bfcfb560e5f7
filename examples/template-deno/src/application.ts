import { Application } from "fingerpost/native";
import { Book } from "./book.ts";

const app: Application = Application.builder().resources(Book).build();

export default app;
