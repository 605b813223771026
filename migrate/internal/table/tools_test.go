package table

import _ "golang.org/x/tools/go/packages"
