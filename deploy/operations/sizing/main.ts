import { writeFileSync } from "node:fs";
import { PAGE, readPage, writtenPage } from "./page.ts";

writeFileSync(PAGE, writtenPage(readPage()));
